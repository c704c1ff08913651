import type { Texts } from "../texts.ts";

export const FAILURE_TEXTS: Texts["failures"] = {
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
