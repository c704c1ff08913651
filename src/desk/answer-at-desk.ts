/** Gives the person's answer to what an agent asks, as the page sent it. */
import * as z from "zod/mini";
import { ROLES } from "../army/roles.ts";
import { parseVerdict } from "../mail/records/request.ts";
import type { RequestBox } from "../requests/request-box.ts";
import { answerRequest, type AnswerOutcome } from "../requests/answer-request.ts";
import { findRequest } from "../requests/open-requests.ts";
import { lazily } from "../system/lazily.ts";

const given = lazily(() =>
  z.object({
    role: z.enum(ROLES),
    id: z.string(),
    /** Identifies the request as the page showed it. */
    digest: z.string(),
    verdict: z.unknown(),
  }),
);

/** Undefined if it is not an answer. */
export async function answerAtDesk(box: RequestBox, body: unknown): Promise<AnswerOutcome | undefined> {
  const { data } = given().safeParse(body);
  const verdict = parseVerdict(data?.verdict);
  if (data === undefined || verdict === undefined) return undefined;
  const { role, id, digest } = data;
  const stored = findRequest(box, { role, id });
  if (stored?.digest === digest) return answerRequest(box, stored, { from: "desk", verdict });
  const end = box.endOf(role, id);
  return end === undefined || end.by === "gone" ? { outcome: "gone" } : { outcome: "already", by: end.by };
}
