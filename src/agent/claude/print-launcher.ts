/**
 * The script that an army's panes run as `claude`. At each start it asks ovld which conversation the role should be
 * in, and then becomes the real program, so that no process is added. Pure.
 *
 * If ovld cannot say, the program starts anyway, and the relay records its conversation.
 */
import { shellWord } from "../../system/shell-word.ts";
import type { Launch } from "../agent-program.ts";
import { CONVERSATION_IN_USE, TAKE_UP } from "../../army/words.ts";

export function printLauncher({ program, ovld, relayDir, language }: Launch): string {
  const [node, file] = [ovld.node, ovld.file].map(shellWord);
  const words = [TAKE_UP, ...(language === undefined ? [] : ["--lang", language]), "claude", relayDir];
  const ask = words.map(shellWord).join(" ");
  return `#!/bin/sh
# Written by ovld summon: starts Claude Code in the conversation of the pane's role.
if [ -x ${node} ] && [ -f ${file} ]; then
  words=$(${node} ${file} ${ask} "$@")
else
  # ovld or Node.js has been moved or updated since.
  words=$(ovld ${ask} "$@")
fi
case $? in
  0) ;;
  ${CONVERSATION_IN_USE}) exit ${CONVERSATION_IN_USE} ;;
  *) words= ;;
esac
# An id has no blanks.
exec ${shellWord(program)} "$@" $words
`;
}
