/** The sentences for errors of an army over several machines: what is wrong, and what to do next. */
import type { JoinFileProblem } from "../../army/hub-errors.ts";
import type { HubErrorReport } from "../sentences.ts";
import { quote } from "../sentences.ts";
import { describeUnfit, FOREIGN_PROBLEMS } from "./foreign-hub.ts";

export function formatHubError({ code, facts }: HubErrorReport): string {
  switch (code) {
    case "hub-no-server":
      return `There is no nats-server, which a hub needs, and none could be fetched: ${facts.reason}. Install nats-server ${facts.oldest} or newer (with Homebrew: brew install nats-server; or put the program from https://github.com/nats-io/nats-server/releases on the PATH), or install Go (https://go.dev/dl), with which ovld builds one. Then try again.`;
    case "hub-server-old":
      return `${facts.program} is nats-server ${facts.version}, but a hub needs ${facts.oldest} or newer: older ones ignore parts of its configuration. Update it.`;
    case "hub-none":
      return "There is no hub on this machine. Start one with ovld hub start.";
    case "hub-not-started":
      return `The hub's server did not start: ${facts.reason}. Its log is ${facts.log}.`;
    case "hub-not-stopped":
      return `Process ${facts.pid} of the hub was killed but has not ended; the system is holding it, perhaps because of a disk that does not answer. Try ovld hub stop again later.`;
    case "hub-port-taken":
      return `Another program is already listening on ${facts.listen}. End it, or choose another port for the hub, for example with --listen 127.0.0.1:14222.`;
    case "hub-stopped":
      return "The hub is not running, so nothing was changed. Start it with ovld hub start, and try again.";
    case "hub-needs-tls":
      return `The hub on ${facts.listen} has no certificate, so another program on its port could pretend to be the hub. Run ovld hub start: it makes one, or takes yours with --tls-cert, --tls-key and --tls-ca.`;
    case "hub-address":
      return `${quote(facts.listen)} is not an address to listen on. Write it as ADDRESS:PORT, such as 127.0.0.1:4222.`;
    case "hub-validity":
      return `${quote(facts.text)} is not a time for which a join file can be valid. Write it as 30m, 24h or 7d, at most a year.`;
    case "hub-certificate":
      return `The certificate could not be made or read: ${facts.reason}. Install openssl, or give a certificate with --tls-cert, its key with --tls-key and its authority with --tls-ca.`;
    case "hub-no-army":
      return `The hub has no army called ${facts.session}. Name one of its armies with --army; ovld hub status lists them.`;
    case "hub-no-machine":
      return `No machine of the army ${facts.session} is called ${quote(facts.machine)}. ${
        facts.known.length > 0 ? `Its machines: ${facts.known.join(", ")}.` : "No machine was invited yet."
      }`;
    case "hub-machine-taken":
      return `The army ${facts.session} already has a machine called ${facts.machine}. Choose another name with --machine, or remove that machine first: ovld hub revoke ${facts.machine} --army ${facts.session}.`;
    case "hub-joined-already":
      return `This machine already takes part in the army ${facts.session}, as ${facts.machine}, and would lose its roles. Use the join file on another machine. If this machine is to be another one from now on, revoke ${facts.machine} at its hub first, or remove ${facts.path} if that hub is gone.`;
    case "hub-join-file":
      return `${facts.path} ${JOIN_FILE_PROBLEMS[facts.problem]}`;
    case "hub-unreachable":
      return `The hub at ${facts.servers.join(", ")} does not answer: ${facts.reason}. Check that it runs (ovld hub status on its machine) and that this machine can reach it.`;
    case "hub-refused":
      return `The hub at ${facts.servers.join(", ")} does not accept the keys of the machine ${facts.machine}. It was revoked or invited again since: ask for a new join file.`;
    case "hub-person-only":
      return `Only you may run ${facts.command}, not an agent. Run it in your own shell.`;
    case "hub-unknown":
      return `It is unknown whether the message was stored: the hub did not confirm it, and it could not be kept on this machine (${facts.reason}). Ask the recipient before you send it again.`;
    case "hub-role-taken":
      return `${facts.role} is already on another machine: ${facts.machine}. A role can be on one machine only; end it there first, or invite this machine anew.`;
    case "hub-newer":
      return `The machine ${facts.machine} has a newer ovld than this one (format ${facts.found}, known here: ${facts.known}). Update ovld on this machine.`;
    case "hub-foreign":
      return FOREIGN_PROBLEMS[facts.problem](facts.what);
    case "hub-unfit":
      return describeUnfit(facts);
    case "hub-full":
      return `The hub has no room for more mail: ${facts.reason}. Free space on its disk; ovld hub doctor on its machine says how much is left.`;
  }
}

const JOIN_FILE_PROBLEMS: Record<JoinFileProblem, string> = {
  missing: "does not exist. Name the file that ovld hub invite printed.",
  damaged: "is not a join file, or not a complete one. Use the file as ovld hub invite printed it.",
  expired: "has expired. Ask for a new one: ovld hub invite on the hub's machine prints it.",
  newer: "was made by a newer ovld. Update ovld on this machine.",
  used: "is not accepted by the hub any more: a machine has already joined with it (it works once), or it was revoked or has expired. Ask for a new one: ovld hub invite on the hub's machine prints it.",
  "no-authority":
    "has no certificate of the hub, so another program on its port could pretend to be the hub. On the hub's own machine, run ovld hub start. On another machine, ask for a new join file (ovld hub revoke and ovld hub invite on the hub's machine make one), and run ovld join.",
  plain:
    "names a NATS server on another machine without TLS, so anybody on the way could pretend to be it. Ask for a join file in which its address begins with tls://.",
};
