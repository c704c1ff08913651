/** Why a turn failed, in one short sentence, and what helps. The kinds are Claude Code's own. */
export const FAILURE_TEXTS = {
  kinds: {
    rate_limit: "a usage limit is reached",
    overloaded: "the service is overloaded",
    server_error: "the service had an error",
    authentication_failed: "it is not logged in; type /login in its pane",
    oauth_org_not_allowed: "its organization does not allow this login",
    account_on_hold: "the account is on hold",
    verification_required: "the account must be verified",
    billing_error: "there is a payment problem, such as too little credit",
    cloud_credential_error: "the cloud provider rejected its credentials",
    model_not_found: "its model is not available; type /model in its pane",
    invalid_request: "the service rejected the request; if it was too long, type /compact in its pane",
    max_output_tokens: "the answer was too long",
  },
  unknown: (error: string) => `the error is ${error}`,
  until: (sentence: string, when: string) => `${sentence} until ${when}`,
};
