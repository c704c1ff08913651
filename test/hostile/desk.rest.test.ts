import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startAsker } from "../support/askers.ts";
import { startDesk, type RunningDesk } from "../support/desk.ts";
import { makePerson } from "../support/person.ts";
import { COMMAND } from "../support/requests.ts";
import { startCommand } from "../support/run-command.ts";
import { giveToNobody } from "../support/unprivileged.ts";
import { soon, waitUntil } from "../support/wait-until.ts";

it("a request with a wrong, old or missing token or cookie gets nothing", async () => {
  await using person = makePerson();
  person.army();
  const desk = await startDesk(person);
  const cookie = await desk.enter();
  for (const token of ["", "?token=", "?token=wrong", `?token=${"x".repeat(32)}`]) {
    const { status, headers } = await desk.ask(`${desk.prefix}open${token}`);
    expect([token, status, headers["set-cookie"]]).toEqual([token, 403, undefined]);
  }
  for (const each of [
    undefined,
    "",
    "ovld-desk=",
    "ovld-desk=wrong",
    `other=${cookie.slice(10)}`,
    `${cookie}x`,
  ])
    for (const route of ["", "page.js", "events", "journal", "message", "screen", "armies"]) {
      const headers = each === undefined ? {} : { cookie: each };
      const { status, text } = await desk.ask(desk.prefix + route, { headers });
      expect([each, route, status]).toEqual([each, route, 401]);
      expect(text).toContain("This browser has not opened the desk's link.");
    }
});

it("a request with a foreign Host or Origin is refused, even with the cookie", async () => {
  await using person = makePerson();
  const mail = person.army();
  const desk = await startDesk(person);
  const cookie = await desk.enter();
  const body = JSON.stringify({ to: "storm", body: "hello", priority: "normal" });
  const own = {
    cookie,
    host: `127.0.0.1:${desk.port}`,
    origin: `http://127.0.0.1:${desk.port}`,
    "content-type": "application/json",
    "content-length": String(body.length),
  };
  const post = async (headers: Record<string, string>) =>
    (await desk.ask(`${desk.prefix}send`, { method: "POST", headers: { ...own, ...headers }, body })).status;
  for (const host of [
    "evil.example",
    `evil.example:${desk.port}`,
    "127.0.0.1.evil.example",
    "[::2]",
    "0.0.0.0",
  ])
    expect([host, await post({ host })]).toEqual([host, 421]);
  for (const origin of [
    "http://evil.example",
    "null",
    `http://127.0.0.1:${desk.port + 1}`,
    `https://127.0.0.1:${desk.port}`,
  ])
    expect([origin, await post({ origin })]).toEqual([origin, 403]);
  for (const site of ["cross-site", "same-site"])
    expect([site, await post({ "sec-fetch-site": site })]).toEqual([site, 403]);
  const { origin: _, ...without } = own;
  expect((await desk.ask(`${desk.prefix}send`, { method: "POST", headers: without, body })).status).toBe(403);
  expect(await post({ "content-type": "text/plain" })).toBe(415);
  expect(mail.countUnread("storm")).toBe(0);
  expect(await post({ "sec-fetch-site": "same-origin" })).toBe(200);
  // As through ssh -L with another port.
  expect(await post({ host: "localhost:8000", origin: "http://localhost:8000" })).toBe(200);
  expect(mail.countUnread("storm")).toBe(2);
});

it("no path leads anywhere but to the desk's own pages", async () => {
  await using person = makePerson();
  const desk = await startDesk(person);
  const headers = { cookie: await desk.enter() };
  const { prefix } = desk;
  for (const path of [
    "/",
    "/open",
    "//",
    `${prefix}../../../etc/passwd`,
    `${prefix}%2e%2e/%2e%2e/etc/passwd`,
    `${prefix}page.js/`,
    `${prefix}page.js%00`,
    `${prefix}./page.js`,
    `${prefix}__proto__`,
    `${prefix}constructor`,
    `${prefix}toString`,
    prefix.slice(0, -1),
    `${prefix.toUpperCase()}page.js`,
    `http://127.0.0.1:${desk.port}${prefix}page.js`,
    "*",
  ]) {
    const { status, text } = await desk.ask(path, { headers });
    expect([path, status]).toEqual([path, 404]);
    expect(text).toBe("There is no such page at the desk.\n");
  }
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "HEAD"])
    expect([method, (await desk.ask(`${prefix}page.js`, { method, headers })).status]).toEqual([method, 405]);
  expect((await desk.ask(`${prefix}send`, { headers })).status).toBe(405);
  expect((await desk.ask(`${prefix}journal?army=..%2F..`, { headers })).status).toBe(409);
  expect((await desk.ask(`${prefix}screen?role=nobody`, { headers })).status).toBe(409);
});

it("every answer carries a policy that allows nothing inline and nothing from elsewhere", async () => {
  await using person = makePerson();
  const desk = await startDesk(person);
  const headers = { cookie: await desk.enter() };
  for (const path of [desk.prefix, `${desk.prefix}page.js`, `${desk.prefix}open`, "/"]) {
    const got = (await desk.ask(path, { headers })).headers;
    expect(got["content-security-policy"]).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    expect(got["content-security-policy"]).not.toMatch(/unsafe|http|\*/);
    expect(got["referrer-policy"]).toBe("no-referrer");
    expect(got["x-content-type-options"]).toBe("nosniff");
    expect(got["access-control-allow-origin"]).toBeUndefined();
  }
});

it("huge headers and bodies, and bodies without a length, are refused at once", async () => {
  await using person = makePerson();
  const desk = await startDesk(person);
  const cookie = await desk.enter();
  const own = { cookie, origin: `http://127.0.0.1:${desk.port}`, "content-type": "application/json" };
  expect((await desk.ask(desk.prefix, { headers: { cookie, "x-huge": "x".repeat(20_000) } })).status).toBe(
    431,
  );
  const post = { method: "POST", headers: own };
  const huge = { ...post, headers: { ...own, "content-length": String(600 * 1_024) } };
  expect((await desk.ask(`${desk.prefix}send`, huge)).status).toBe(413);
  const chunked = { ...post, headers: { ...own, "transfer-encoding": "chunked" }, body: "{}" };
  expect((await desk.ask(`${desk.prefix}send`, chunked)).status).toBe(411);
  const notJson = { ...post, headers: { ...own, "content-length": "3" }, body: "{{{" };
  expect((await desk.ask(`${desk.prefix}send`, notJson)).status).toBe(400);
  expect((await desk.ask(`${desk.prefix}answer`, notJson)).status).toBe(400);
});

it("a thousand idle connections, as any user of the machine can open them, keep nobody from the desk", async () => {
  await using person = makePerson();
  person.army();
  const desk = await startDesk(person);
  const cookie = await desk.enter();
  let [heard, isCut] = ["", false];
  const stream = open(desk, (text) => (heard += text)).once("close", () => (isCut = true));
  person.sandbox.defer(() => void stream.destroy());
  stream.write(streamRequest(desk, cookie));
  await waitUntil("the stream begins", () => heard.startsWith("HTTP/1.1 200"));
  // As root, the idle ones belong to another user.
  const other = startCommand(person.sandbox, [process.execPath, "-e", OPEN_MANY, `${desk.port}`], {
    user: giveToNobody(mkdtempSync(join(person.sandbox.root, "other-"))),
  });
  await waitUntil("they are open", () => other.stdout().includes("open"));
  for (let time = 0; time < 5; time += 1)
    expect((await desk.ask(desk.prefix, { headers: { cookie }, agent: false })).status).toBe(200);
  expect(isCut).toBe(false);
});

/** Prints "open" when every connection has been accepted, and keeps them as long as it is let. */
const OPEN_MANY = `
  const { connect } = require("node:net");
  let open = 0;
  for (let count = 0; count < 1000; count += 1)
    connect({ host: "127.0.0.1", port: Number(process.argv[1]) })
      .on("error", () => {})
      .on("connect", () => (open += 1) === 1000 && console.log("open"));
  setInterval(() => {}, 1000);
`;

it("of more connections than the desk keeps, all of them the person's own, the surplus is told so", async () => {
  await using person = makePerson();
  const desk = await startDesk(person);
  const headers = { cookie: await desk.enter() };
  const request = `GET ${desk.prefix}armies HTTP/1.1\r\nHost: 127.0.0.1:${desk.port}\r\nCookie: ${headers.cookie}\r\n\r\n`;
  const sockets: Socket[] = [];
  person.sandbox.defer(() => sockets.forEach((socket) => socket.destroy()));
  // The desk closes a connection that is not used for some seconds, so all of them ask again and again.
  const surplus = async (): Promise<string> => {
    const answered = Array.from({ length: 16 }, () => open(desk, () => {}));
    sockets.push(...answered);
    for (const socket of sockets) if (!socket.destroyed) socket.write(request);
    await Promise.all(answered.map((socket) => Promise.race([once(socket, "data"), once(socket, "close")])));
    const { status, text } = await desk.ask(desk.prefix, { headers, agent: false });
    return `${status} ${status === 200 ? "" : text}`;
  };
  await expect.poll(surplus, soon).toBe("503 Too many pages of the desk are open. Close some of them.\n");
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await desk.ask(desk.prefix, { headers })).status, soon).toBe(200);
});

it("of forty streams thirty-two stay open, and the others are told that there are too many", async () => {
  await using person = makePerson();
  person.army();
  const desk = await startDesk(person);
  const cookie = await desk.enter();
  const heard = Array.from({ length: 40 }, () => "");
  const sockets = heard.map((_, index) => open(desk, (text) => (heard[index] += text)));
  person.sandbox.defer(() => sockets.forEach((socket) => socket.destroy()));
  for (const socket of sockets) socket.write(streamRequest(desk, cookie));
  await waitUntil("all are answered", () => heard.every((text) => text !== ""));
  expect(heard.filter((text) => text.startsWith("HTTP/1.1 200"))).toHaveLength(32);
  expect(heard.filter((text) => text.startsWith("HTTP/1.1 503"))).toHaveLength(8);
});

it("a page that does not read its stream is dropped, and others are not kept waiting", async () => {
  await using person = makePerson();
  person.army();
  const asker = await startAsker(person, "storm");
  const desk = await startDesk(person);
  const cookie = await desk.enter();
  let [isDropped, heard] = [false, ""];
  const slow = open(desk, () => {});
  slow.pause();
  slow.once("close", () => (isDropped = true));
  slow.write(streamRequest(desk, cookie));
  const quick = open(desk, (text) => (heard += text.replaceAll("=", "")));
  quick.write(streamRequest(desk, cookie));
  person.sandbox.defer(() => void quick.destroy());
  for (let number = 1; number <= 13; number += 1) {
    const { request } = asker.ask({
      ...COMMAND,
      action: { what: "command", command: `echo ${number} ${"=".repeat(900_000)}` },
    });
    // The view of the army names a request, too, and may come before its text.
    await waitUntil(`the quick one hears request ${number}`, () =>
      heard.split("\n\n").some((text) => text.includes('"event":"requests"') && text.includes(request.id)),
    );
  }
  // A paused socket notices its end only when it reads.
  slow.resume();
  await expect.poll(() => isDropped, soon).toBe(true);
});

it("of two desks that answer at once, one answer is taken and the other is told so", async () => {
  await using person = makePerson();
  person.army();
  const asker = await startAsker(person, "storm");
  const desks = [await startDesk(person), await startDesk(person)];
  const cookies = [await desks[0]?.enter(), await desks[1]?.enter()];
  for (let round = 0; round < 10; round += 1) {
    const { request, digest } = asker.ask(COMMAND);
    const answers = desks.map((desk, index) => {
      const verdict = { verdict: index === 0 ? "allow" : "deny", suggestions: [], reason: "no" };
      return answer(desk, cookies[index] ?? "", { role: "storm", id: request.id, digest, verdict });
    });
    const { verdict } = await asker.taken({ request, digest });
    const outcomes = await Promise.all(answers);
    const winner = verdict.verdict === "allow" ? 0 : 1;
    expect(outcomes[winner]).toEqual({ outcome: "taken" });
    expect(outcomes[1 - winner]).toEqual({ outcome: "already", by: "desk" });
  }
});

it("an answer to something else than what was shown, or to what is over, is not given", async () => {
  await using person = makePerson();
  person.army();
  const asker = await startAsker(person, "storm");
  const desk = await startDesk(person);
  const cookie = await desk.enter();
  const stored = asker.ask(COMMAND);
  const { id } = stored.request;
  const verdict = { verdict: "allow", suggestions: [] };
  const good = { role: "storm", id, digest: stored.digest, verdict };
  expect(await answer(desk, cookie, { ...good, digest: "another" })).toEqual({ outcome: "gone" });
  expect(await answer(desk, cookie, { ...good, role: "shadow" })).toEqual({ outcome: "gone" });
  const invented = await answer(desk, cookie, { ...good, verdict: { verdict: "allow", suggestions: [7] } });
  expect(invented).toMatchObject({ error: { code: "answer-unfit" } });
  expect(asker.box.takeAnswer(stored)).toBeUndefined();
  asker.end(stored, "pane");
  expect(await answer(desk, cookie, good)).toEqual({ outcome: "already", by: "pane" });
});

function open(desk: RunningDesk, onText: (text: string) => void): Socket {
  const socket = connect({ host: "127.0.0.1", port: desk.port });
  return socket
    .setEncoding("utf8")
    .on("error", () => {})
    .on("data", (text: string) => onText(text));
}

function streamRequest(desk: RunningDesk, cookie: string): string {
  return `GET ${desk.prefix}events HTTP/1.1\r\nHost: 127.0.0.1:${desk.port}\r\nCookie: ${cookie}\r\n\r\n`;
}

async function answer(desk: RunningDesk, cookie: string, value: object): Promise<unknown> {
  const body = JSON.stringify(value);
  const headers = {
    cookie,
    origin: `http://127.0.0.1:${desk.port}`,
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
  };
  return JSON.parse((await desk.ask(`${desk.prefix}answer`, { method: "POST", headers, body })).text);
}
