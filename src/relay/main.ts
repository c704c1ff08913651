/** `ovld relay`: one role's MCP server, from its environment to its end. */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createBell } from "../bell/bell.ts";
import { readRelaySettings, type RelaySettings } from "../config/relay-settings.ts";
import { describeError } from "../i18n/error-texts.ts";
import { chooseLanguage } from "../i18n/language.ts";
import { openMail } from "../mail/mail.ts";
import { cleanLine } from "../system/clean-text.ts";
import { hasErrorCode } from "../system/file-error.ts";
import { OvldError } from "../system/ovld-error.ts";
import { onceAskedToEnd, surviveFileSizeLimit } from "../system/signals.ts";
import { createRelayServer } from "./relay-server.ts";
import { RelayTransport } from "./relay-transport.ts";
import type { Desk } from "./tools/tool.ts";

const EXIT_PRECONDITION = 4;

export function runRelay(): void {
  try {
    serve(readRelaySettings(process.env));
  } catch (error) {
    if (!(error instanceof OvldError)) throw error;
    complain(describeError(error.report, chooseLanguage(process.env)));
    process.exitCode = EXIT_PRECONDITION;
  }
}

function serve(settings: RelaySettings): void {
  surviveFileSizeLimit();
  const transport = new RelayTransport(process.stdin, process.stdout, () => process.exit(0));
  const openDesk = once(() => makeDesk(settings));
  const connection = serveStdio(() => createRelayServer(openDesk, transport), {
    transport,
    onerror: (error) => {
      // A client that has gone is the ordinary end of a relay.
      if (!hasErrorCode(error, "EPIPE")) complain(error.message);
    },
  });
  onceAskedToEnd(() => void connection.close());
}

function makeDesk({ role, relayDir }: RelaySettings): Desk {
  const mail = openMail(relayDir);
  return { role, mail, bell: createBell(mail, role, []) };
}

/** stdout carries the protocol alone. */
function complain(sentence: string): void {
  process.stderr.write(`ovld relay: ${cleanLine(sentence)}\n`);
}

function once<Result>(make: () => Result): () => Result {
  let made: { result: Result } | undefined;
  return () => (made ??= { result: make() }).result;
}
