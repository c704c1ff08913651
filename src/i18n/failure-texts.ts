/** Why a turn failed, in one short sentence, and what helps. The kinds are Claude Code's own. */
import type { Language } from "../army/words.ts";

type FailureTexts = typeof EN;

const EN = {
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

const JA: FailureTexts = {
  kinds: {
    rate_limit: "利用上限に達しました",
    overloaded: "サービスが混み合っています",
    server_error: "サービスでエラーが起きました",
    authentication_failed: "ログインしていません。ペインで /login を実行してください",
    oauth_org_not_allowed: "組織がこのログインを許可していません",
    account_on_hold: "アカウントが停止されています",
    verification_required: "アカウントの確認が必要です",
    billing_error: "残高不足など、支払いに問題があります",
    cloud_credential_error: "クラウドの認証情報が拒否されました",
    model_not_found: "モデルが使えません。ペインで /model を実行してください",
    invalid_request:
      "サービスにリクエストを拒否されました。長すぎた場合はペインで /compact を実行してください",
    max_output_tokens: "回答が長すぎました",
  },
  unknown: (error) => `エラーは ${error} です`,
  until: (sentence, when) => `${sentence}（${when} まで）`,
};

const TEXTS: Record<Language, FailureTexts> = { en: EN, ja: JA };

/** `until` is ISO 8601, and shown by the clock of this machine. */
export function failureSentence(error: string, until: string | null, language: Language): string {
  const { kinds, unknown, until: tellUntil } = TEXTS[language];
  const sentence = isKnown(error) ? kinds[error] : unknown(error);
  return until === null ? sentence : tellUntil(sentence, clockOf(new Date(until)));
}

function isKnown(error: string): error is keyof FailureTexts["kinds"] {
  return error in EN.kinds;
}

function clockOf(moment: Date): string {
  const [month, day, hours, minutes] = [
    moment.getMonth() + 1,
    moment.getDate(),
    moment.getHours(),
    moment.getMinutes(),
  ].map((part) => String(part).padStart(2, "0"));
  return `${month}-${day} ${hours}:${minutes}`;
}
