/** Requests to the desk's own server, at addresses relative to the page. */
import type { PageTexts } from "../../i18n/texts.ts";

export type DeskAnswer<Value> = { value: Value } | { problem: string };

export interface DeskCalls {
  get: <Value>(route: string, query?: Record<string, string>) => Promise<DeskAnswer<Value>>;
  post: <Value>(route: string, body: object) => Promise<DeskAnswer<Value>>;
}

export function callsFor(army: string, { language, desk }: PageTexts): DeskCalls {
  const call = async <Value>(route: string, query: object, init: RequestInit): Promise<DeskAnswer<Value>> => {
    try {
      const address = `${route}?${new URLSearchParams({ army, lang: language, ...query })}`;
      const response = await fetch(address, init);
      if (!response.headers.get("content-type")?.startsWith("application/json"))
        return { problem: (await response.text()).trim() };
      const value = await response.json();
      return response.ok ? { value } : { problem: value?.error?.message ?? desk.refusals.failed };
    } catch {
      return { problem: desk.page.cutOff };
    }
  };
  return {
    get: (route, query = {}) => call(route, query, {}),
    post: (route, body) =>
      call(
        route,
        {},
        { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
      ),
  };
}
