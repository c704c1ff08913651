/** The sentences for errors of an army over several machines: what is wrong, and what to do next. */
import type { HubErrorReport, JoinFileProblem } from "../../system/ovld-error.ts";
import { quote } from "../quote.ts";

export function describeHubError({ code, facts }: HubErrorReport): string {
  switch (code) {
    case "hub-no-server":
      return `There is no nats-server, which a hub needs, and none could be fetched: ${facts.reason}. Install nats-server ${facts.oldest} or newer, or Go, with which ovld builds one.`;
    case "hub-server-old":
      return `${facts.program} is nats-server ${facts.version}, but a hub needs ${facts.oldest} or newer: older ones ignore parts of its configuration. Update it.`;
    case "hub-none":
      return "There is no hub on this machine. Start one with ovld hub start.";
    case "hub-not-started":
      return `The hub's server did not start: ${facts.reason}. Its log is ${facts.log}.`;
    case "hub-needs-tls":
      return `A hub on ${facts.listen} could be reached from other machines, and needs a certificate. Use --tls to make one, or --tls-cert and --tls-key; or leave the hub on 127.0.0.1 and let the others in through ssh -L or a VPN.`;
    case "hub-address":
      return `${quote(facts.listen)} is not an address to listen on. Write it as ADDRESS:PORT, such as 127.0.0.1:4222.`;
    case "hub-certificate":
      return `The certificate could not be made or read: ${facts.reason}. Install openssl, or give a certificate with --tls-cert, its key with --tls-key and its authority with --tls-ca.`;
    case "hub-no-army":
      return `The hub has no army called ${facts.session}. Name one of its armies with --session; ovld hub status lists them.`;
    case "hub-no-machine":
      return `No machine of the army ${facts.session} is called ${quote(facts.machine)}. ${
        facts.known.length > 0 ? `Its machines: ${facts.known.join(", ")}.` : "No machine was invited yet."
      }`;
    case "hub-machine-taken":
      return `The army ${facts.session} already has a machine called ${facts.machine}. Choose another name with --machine, or remove that machine first: ovld hub revoke ${facts.machine}.`;
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
    case "hub-full":
      return `The hub has no room for more mail: ${facts.reason}. Free space on its disk; ovld hub doctor on its machine says how much is left.`;
  }
}

const JOIN_FILE_PROBLEMS: Record<JoinFileProblem, string> = {
  missing: "does not exist. Name the file that ovld hub invite printed.",
  damaged: "is not a join file, or not a complete one. Use the file as ovld hub invite printed it.",
  newer: "was made by a newer ovld. Update ovld on this machine.",
};
