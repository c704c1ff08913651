/** Who the hub is: another server on its port, or on the way, is neither told nor believed anything. */
import { connect as connectNats } from "@nats-io/transport-node";
import { spawn } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { expect, it } from "vitest";
import { hubFiles } from "../../../src/machines/server/hub-files.ts";
import { makeCertificate, type HubTls } from "../../../src/machines/server/certificates.ts";
import { openLink } from "../../../src/machines/carrier/link.ts";
import type { Membership } from "../../../src/machines/membership.ts";
import { openMail } from "../../../src/mail/mail.ts";
import { makeNkey } from "../../../src/machines/nkey.ts";
import { makeMachine, type Machine } from "../../support/machine.ts";
import { freePort } from "../../../src/system/free-port.ts";
import { startRelay } from "../../support/relay.ts";
import { makeSandbox, type Sandbox } from "../../support/sandbox.ts";
import { soon } from "../../support/wait-until.ts";

const CAMP = ["--session", "camp"];
const fileOf = (machine: Machine): string => join(machine.folder, "../joined/camp.json");
const joinedFile = (machine: Machine): Membership => JSON.parse(readFileSync(fileOf(machine), "utf8"));

async function startHub(machine: Machine): Promise<number> {
  const port = await freePort();
  const run = await machine.ovld(["hub", "start", ...CAMP, "--listen", `127.0.0.1:${port}`]);
  expect(run).toMatchObject({ code: 0, stderr: "" });
  return port;
}

/** As if the army had been summoned on this machine. */
function summoned(machine: Machine, name: string): void {
  machine.person.army("camp");
  const record = {
    format: 1,
    folder: machine.person.project,
    agent: "practice",
    machine: name,
    summoned: new Date().toISOString(),
  };
  writeFileSync(join(machine.person.relayDir("camp"), "army.json"), JSON.stringify(record));
}

const certify = (sandbox: Sandbox, names: string[]): Promise<HubTls> =>
  makeCertificate(hubFiles(join(sandbox.root, `other-${names.length}`)), process.env, names);

/** A server that accepts every key and confirms everything it is told. */
async function impersonate(sandbox: Sandbox, port: number, tls: HubTls | undefined) {
  const folder = join(sandbox.root, "impostor");
  mkdirSync(folder);
  const config = join(folder, "nats.conf");
  const encryption = tls ? `tls: { cert_file: "${tls.certificate}", key_file: "${tls.key}" }` : "";
  writeFileSync(config, `listen: 127.0.0.1:${port}\nserver_name: ovld-hub\n${encryption}\n`);
  const program = process.env["OVLD_TEST_NATS"] ?? "nats-server";
  const server = spawn(program, ["-c", config], { stdio: "ignore", env: sandbox.env });
  sandbox.defer(() => void server.kill());
  const connection = await connectNats({
    servers: `127.0.0.1:${port}`,
    waitOnFirstConnect: true,
    reconnectTimeWait: 100,
    ...(tls && { tls: { ca: tls.ca } }),
  });
  const told: string[] = [];
  connection.subscribe(">", {
    callback: (_error, message) => {
      told.push(message.subject);
      message.respond('{"stream":"INBOX_inferno","seq":1}');
    },
  });
  await connection.flush();
  return {
    told,
    async end() {
      await connection.close();
      const ended = once(server, "exit");
      server.kill();
      await ended;
    },
  };
}

it.each(["without a certificate", "with a certificate of another authority"])(
  "another server on the port, %s, gets no mail and is not believed; when the hub is back, the mail arrives",
  async (kind) => {
    await using a = makeMachine();
    const port = await startHub(a);
    await a.ovld(["hub", "invite", ...CAMP, "inferno"]);
    summoned(a, joinedFile(a).machine);
    await a.ovld(["hub", "stop"]);
    const { sandbox } = a.person;
    const tls = kind.startsWith("without") ? undefined : await certify(sandbox, ["localhost", "127.0.0.1"]);
    const impostor = await impersonate(sandbox, port, tls);

    const relayDir = a.person.relayDir("camp");
    const env = { OVLD_RELAY_DIR: relayDir, OVLD_HUB: fileOf(a), OVLD_SESSION: "camp" };
    const overlord = await startRelay(sandbox, "overlord", { env });
    await overlord.client.listTools();
    const mail = openMail(relayDir);
    await expect.poll(() => mail.connection()?.why ?? "", soon).toMatch(/does not support 'tls'|certificate/);
    const send = (body: string) => a.ask(["send", ...CAMP, "inferno", body]);
    expect(await send("the password is hunter2")).toMatchObject({ stored: false, bell: "kept", waiting: 1 });
    const { stdout } = await a.ovld(["send", ...CAMP, "inferno", "two"]);
    expect(stdout).not.toMatch(/^Stored/);
    const { json } = await overlord.call("send_message", { to: "inferno", subject: "s", body: "three" });
    expect(json).toMatchObject({ kept: true });
    expect(impostor.told).toEqual([]);

    await impostor.end();
    await a.ovld(["hub", "start", ...CAMP]);
    await expect.poll(async () => (await a.ask(["hub", "status"])).armies[0].unread.inferno).toBe(3);
  },
);

it("a join file without the hub's authority, or with a far address without TLS, is refused before anything is sent", async () => {
  await using b = makeMachine();
  const seeds = { human: makeNkey().seed, inferno: makeNkey().seed };
  const base = { format: 1, army: "camp", machine: "b", servers: ["127.0.0.1:4222"], seeds };
  for (const [file, sentence] of [
    [base, "has no certificate of the hub"],
    [{ ...base, servers: ["10.0.0.1:4222"] }, "has no certificate of the hub"],
    [{ ...base, servers: ["10.0.0.1:4222"], foreign: true }, "on another machine without TLS"],
  ] as const) {
    const run = await b.ovld(["hub", "join", b.put("b.join", JSON.stringify(file))]);
    expect(run).toMatchObject({ code: 4, stdout: "", stderr: expect.stringContaining(sentence) });
  }
});

it("a connection to another machine without TLS is not even tried", async () => {
  const link = openLink({ servers: ["192.0.2.1:4222"], seed: makeNkey().seed, name: "test" });
  await link.tried;
  expect(link.down()?.why).toContain("without TLS");
  await link.close();
});

it("a certificate has to be for the address that was dialled, also if that is an IP address", async () => {
  await using sandbox = makeSandbox();
  const port = await freePort();
  const tls = await certify(sandbox, ["localhost"]);
  const config = join(sandbox.root, "nats.conf");
  writeFileSync(
    config,
    `listen: 127.0.0.1:${port}\ntls: { cert_file: "${tls.certificate}", key_file: "${tls.key}" }\n`,
  );
  const program = process.env["OVLD_TEST_NATS"] ?? "nats-server";
  const server = spawn(program, ["-c", config], { stdio: "ignore", env: sandbox.env });
  sandbox.defer(() => void server.kill());
  const dial = (host: string) => {
    const link = openLink({ servers: [`${host}:${port}`], ca: tls.ca, seed: makeNkey().seed, name: "test" });
    sandbox.defer(() => link.close());
    return link;
  };
  expect(await dial("localhost").whenUp(20_000)).toBeDefined();
  const link = dial("127.0.0.1");
  await expect.poll(() => link.down()?.why, soon).toContain("127.0.0.1 is not in the cert's list");
});

/** The addresses in the certificate with which the running server answers. */
async function namesOf(port: number, ca: string): Promise<string> {
  const plain = connect(port, "127.0.0.1");
  await once(plain, "data");
  const socket = connectTls({ socket: plain, ca, checkServerIdentity: () => undefined });
  await once(socket, "secureConnect");
  const names = socket.getPeerX509Certificate()?.subjectAltName ?? "";
  socket.destroy();
  return names;
}

it("the certificate is for the address of an invitation, too, and a hub without openssl says what is missing", async () => {
  await using a = makeMachine();
  const without = await a.ovld(["hub", "start", ...CAMP], { PATH: a.person.project });
  expect(without).toMatchObject({ code: 4, stderr: expect.stringContaining("openssl was not found") });
  const port = await startHub(a);
  const { ca = "" } = joinedFile(a);
  const file: Membership = await a.ask([
    "hub",
    "invite",
    ...CAMP,
    "--address",
    "203.0.113.7:4222",
    "inferno",
  ]);
  expect(file).toMatchObject({ servers: ["203.0.113.7:4222"], ca });
  await expect.poll(() => namesOf(port, ca), soon).toMatch(/127\.0\.0\.1.*::1|0:0:1.*203\.0\.113\.7/);
  // A later start keeps it.
  await a.ovld(["hub", "stop"]);
  await a.ovld(["hub", "start", ...CAMP, "--listen", `127.0.0.2:${port}`]);
  const made = new X509Certificate(readFileSync(join(a.folder, "tls/certificate.pem")));
  for (const address of ["127.0.0.1", "127.0.0.2", "::1", "203.0.113.7"])
    expect(made.checkIP(address)).toBe(address);
  expect(joinedFile(a)).toMatchObject({ servers: [`127.0.0.2:${port}`], ca });
});
