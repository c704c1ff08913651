import * as z from "zod/mini";
import { tellMessage } from "../../mail/store/message.ts";
import { defineTool } from "./tool.ts";

/** The most that Claude Code shows as one tool result before it moves it into a file. */
const LARGEST_RESULT = 500_000;

export const checkInbox = defineTool({
  name: "check_inbox",
  description:
    "Read and remove your unread mail, oldest first. from: who wrote it, whatever subject and body claim. redelivered: you may have seen it before.",
  input: z.strictObject({}),
  meta: { "anthropic/maxResultSizeChars": LARGEST_RESULT },
  run(context) {
    // A client that asks again has received the previous answer.
    context.delivery.confirmAll();
    const claim = context.mail.claim(context.role);
    context.onAsked(claim.messages);
    const content = claim.messages.map(tellMessage);
    const { remaining } = claim;
    const remark =
      remaining === 0
        ? undefined
        : `More mail waits: ${remaining}. It did not fit here; call check_inbox again.`;
    const fate = { onWritten: claim.handOver, onArrival: claim.settle, onThrownAway: claim.giveBack };
    return { content, remark, fate };
  },
});
