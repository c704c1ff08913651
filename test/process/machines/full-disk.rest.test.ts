import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { changeArmy } from "../../../src/machines/server/change-hub.ts";
import { findNatsServer } from "../../../src/machines/server/nats-server.ts";
import { makeCertificate } from "../../../src/machines/server/certificates.ts";
import { hubFiles, writeHub } from "../../../src/machines/server/hub-files.ts";
import { addArmy, newHub } from "../../../src/machines/server/hub-state.ts";
import { keepServer, readKeeping } from "../../../src/machines/server/keep-server.ts";
import { askHub, openLink } from "../../../src/machines/carrier/link.ts";
import { freePort } from "../../../src/system/free-port.ts";
import { makeSandbox } from "../../support/sandbox.ts";
import { fillDisk, mountSmallDisk } from "../../support/small-disk.ts";
import { soon } from "../../support/wait-until.ts";

it("a hub whose disk was full stores mail again by itself once there is room, and has lost none", async (context) => {
  await using sandbox = makeSandbox();
  mountSmallDisk(context, sandbox, "size=64m");
  const files = hubFiles(join(sandbox.relayDir, "hub"));
  const listen = `127.0.0.1:${await freePort()}`;
  const tls = await makeCertificate(files, process.env, ["127.0.0.1"]);
  writeHub(files, newHub(listen, tls));
  const env = { ...sandbox.env, OVLD_NATS_SERVER: process.env["OVLD_TEST_NATS"] ?? "" };
  const server = await findNatsServer(env);
  if (server === undefined) throw new Error("no server");
  const stop = new AbortController();
  const timings = { probeEveryMs: 200, silentMs: 60_000 };
  const kept = keepServer({ files, env, server, stop: stop.signal, timings });
  sandbox.defer(async () => {
    stop.abort();
    await kept;
  });
  await expect.poll(() => readKeeping(files)?.isWell, soon).toBe(true);
  const place = { files, env, session: "camp", stop: stop.signal };
  const { seeds } = await changeArmy(place, () => addArmy("here", new Date()));
  const link = openLink({ servers: [listen], ca: tls.ca, seed: seeds.overlord ?? "", name: "test" });
  sandbox.defer(() => link.close());
  await link.whenUp(20_000);
  let stored = 0;
  const send = async (): Promise<boolean> => {
    const got = await askHub(link, "inbox.storm.overlord", { data: "x".repeat(20_000), withinMs: 1_000 });
    const isStored = "message" in got && got.message.string().includes('"seq"');
    stored += isStored ? 1 : 0;
    return isStored;
  };
  for (let round = 0; round < 10; round += 1) await expect.poll(send, soon).toBe(true);

  const ballast = join(sandbox.relayDir, "ballast");
  fillDisk(ballast);
  await expect.poll(send, soon).toBe(false);

  rmSync(ballast);
  await expect.poll(() => readKeeping(files)?.lastRestart?.why, soon).toBe("disk-was-full");
  await expect.poll(send, soon).toBe(true);
  // It was not restarted in vain while the disk was full.
  expect(readKeeping(files)?.restarts).toBe(1);
  const info = await askHub(link, "inbox.storm.overlord", { data: "last", withinMs: 20_000 });
  expect("message" in info && info.message.json<{ seq: number }>().seq).toBeGreaterThan(stored);
});

it("a server that hangs is ended and started again", async () => {
  await using sandbox = makeSandbox();
  const files = hubFiles(join(sandbox.root, "hub"));
  const listen = `127.0.0.1:${await freePort()}`;
  writeHub(files, newHub(listen, await makeCertificate(files, process.env, ["127.0.0.1"])));
  const env = { ...sandbox.env, OVLD_NATS_SERVER: process.env["OVLD_TEST_NATS"] ?? "" };
  const server = await findNatsServer(env);
  if (server === undefined) throw new Error("no server");
  const stop = new AbortController();
  const timings = { probeEveryMs: 200, silentMs: 1_000 };
  const kept = keepServer({ files, env, server, stop: stop.signal, timings });
  sandbox.defer(async () => {
    stop.abort();
    await kept;
  });
  await expect.poll(() => readKeeping(files)?.isWell, soon).toBe(true);
  // On a busy machine it may have been restarted before.
  const { server: first = "", restarts = 0 } = readKeeping(files) ?? {};
  process.kill(Number.parseInt(first ?? "", 10), "SIGSTOP");
  await expect.poll(() => readKeeping(files)?.restarts, soon).toBeGreaterThan(restarts);
  expect(readKeeping(files)?.lastRestart?.why).toBe("silent");
  await expect.poll(() => readKeeping(files)?.isWell, soon).toBe(true);
  expect(readKeeping(files)?.server).not.toBe(first);
});
