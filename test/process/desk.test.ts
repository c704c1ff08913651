import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { makePerson } from "../support/person.ts";
import { startDesk, type RunningDesk } from "../support/desk.ts";
import { OVLD } from "../support/ovld.ts";
import { openTerminal } from "../support/terminal.ts";
import { letter } from "../support/store.ts";
import { soon } from "../support/wait-until.ts";

it("the link becomes a cookie, once, and there is another link only on request", async () => {
  await using person = makePerson();
  const desk = await startDesk(person);
  const first = new URL(desk.link());
  expect(first.hostname).toBe("127.0.0.1");
  const opened = await desk.ask(first.pathname + first.search);
  expect(opened.status).toBe(200);
  const [cookie = ""] = opened.headers["set-cookie"] ?? [];
  expect(cookie).toMatch(/^ovld-desk=[\w-]{32}; Path=\/[\w-]{32}\/; HttpOnly; SameSite=Strict$/);
  const again = await desk.ask(first.pathname + first.search);
  expect([again.status, again.headers["set-cookie"]]).toEqual([403, undefined]);
  expect(again.text).toContain("This link has been used or has expired, or is not complete. Press Enter");
  expect(desk.link()).toBe(first.href);
  const asked = new URL(await desk.newLink());
  await desk.newLink();
  // Only the newest one works.
  expect((await desk.ask(asked.pathname + asked.search)).status).toBe(403);
  const second = await desk.enter();
  for (const each of [cookie.split(";")[0] ?? "", second])
    expect((await desk.ask(desk.prefix, { headers: { cookie: each } })).status).toBe(200);
});

it("Ctrl-C ends the desk with exit code 0, and the army need not exist", async () => {
  await using person = makePerson();
  const desk = await startDesk(person);
  const cookie = await desk.enter();
  const { text } = await desk.ask(`${desk.prefix}armies`, { headers: { cookie } });
  expect(JSON.parse(text)).toEqual([]);
  desk.command.kill("SIGINT");
  expect(await desk.command.ended).toMatchObject({ code: 0, stderr: "" });
});

it.each([
  ["en", "It works once, for 5 minutes:", "Press Enter for a new link,", "The desk was opened in a browser."],
  [
    "ja",
    "5 分以内に一度だけ使えます。",
    "Enter を押すと新しいリンクを表示し",
    "デスクがブラウザーで開かれました。",
  ],
])(
  "on a terminal the desk (%s) prints a new link when the person presses Enter",
  async (language, ...said) => {
    await using person = makePerson();
    const terminal = person.onTerminal(["desk", "--no-open", "--lang", language]);
    const links = (): string[] => terminal.output().match(/http:\S+(?=\s)/g) ?? [];
    await expect.poll(links, soon).toHaveLength(1);
    expect((await fetch(links()[0] ?? "")).status).toBe(200);
    await expect.poll(() => said.filter((each) => !terminal.output().includes(each)), soon).toEqual([]);
    expect(links()).toHaveLength(1);
    terminal.pty.write("\r");
    await expect.poll(links, soon).toHaveLength(2);
    expect((await fetch(links()[1] ?? "")).status).toBe(200);
    terminal.pty.write("\u0003");
    expect(await terminal.exited).toBe(0);
  },
);

it.each([
  ["begun with &", "&", []],
  [
    "sent there with Ctrl-Z and bg",
    "",
    [
      ["\u001a", "Stopped"],
      ["bg\r", "$ bg"],
    ],
  ],
])("a desk in the background of a terminal, %s, is not stopped by what the person types", async (...how) => {
  const [, mark, steps] = how;
  await using person = makePerson();
  const pid = join(person.sandbox.root, "pid");
  const shell = openTerminal(person.sandbox, { ...person.env, PS1: "$ " }, person.project, [
    "bash",
    "--norc",
  ]);
  person.sandbox.defer(() => void process.kill(Number(readFileSync(pid, "utf8")), "SIGKILL"));
  const links = (): string[] => shell.output().match(/http:\S+(?=\s)/g) ?? [];
  shell.pty.write(`(echo $BASHPID > ${pid}; exec ${process.execPath} ${OVLD} desk --no-open) ${mark}\r`);
  await expect.poll(links, soon).toHaveLength(1);
  for (const [typed = "", shown = ""] of steps) {
    shell.pty.write(typed);
    await expect.poll(() => shell.output(), soon).toContain(shown);
  }
  // While something else runs in the foreground, what is typed waits in the terminal for whoever reads it.
  const over = join(person.sandbox.root, "over");
  shell.pty.write(`echo busy-$((1)); until [ -e ${over} ]; do sleep 0.1; done\r`);
  await expect.poll(() => shell.output(), soon).toContain("busy-1");
  shell.pty.write("echo typed-$((2))\r");
  await expect.poll(() => shell.output(), soon).toContain("echo typed-");
  for (const status of [200, 403, 403]) expect((await fetch(links()[0] ?? "")).status).toBe(status);
  writeFileSync(over, "");
  await expect.poll(() => shell.output(), soon).toContain("typed-2");
});

it("the browser is led to the link by a file in the configuration folder, for the person's eyes only, until the link is used", async () => {
  await using person = makePerson();
  const opened = join(person.sandbox.root, "opened");
  const bin = join(person.sandbox.root, "opener");
  mkdirSync(bin);
  writeFileSync(join(bin, "xdg-open"), `#!/bin/sh\nprintf %s "$1" > ${opened}\n`, { mode: 0o755 });
  const terminal = person.onTerminal(["desk"], { DISPLAY: ":9", PATH: `${bin}:${person.env["PATH"]}` });
  await expect.poll(() => existsSync(opened) && readFileSync(opened, "utf8"), soon).toContain(".html");
  const file = fileURLToPath(readFileSync(opened, "utf8"));
  expect(dirname(file)).toBe(join(dirname(person.configFile), "desk"));
  expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
  const [, link = ""] = /url=(http:[^"]+)"/.exec(readFileSync(file, "utf8")) ?? [];
  expect((await fetch(link.replaceAll("&#38;", "&"))).status).toBe(200);
  await expect.poll(() => existsSync(file), soon).toBe(false);
  terminal.pty.write("\u0003");
  expect(await terminal.exited).toBe(0);
});

it("the desk listens on loopback only, and a port that is taken is an error with exit code 5", async () => {
  await using person = makePerson();
  const desk = await startDesk(person);
  const { code, stderr } = await person.ovld(["desk", "--port", String(desk.port)]);
  expect([code, stderr]).toEqual([
    5,
    `ovld: Port ${desk.port} is in use or not allowed. Choose another one with --port, or leave it out.\n`,
  ]);
  expect(await person.ovld(["desk", "--port", "much"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("much"),
  });
  const outside = await new Promise((resolve) => {
    // Another address of this machine, on which a server for everyone would answer.
    const socket = connect({ host: "127.0.0.2", port: desk.port });
    socket.on("connect", () => resolve("connected")).on("error", (error) => resolve(error.message));
  });
  expect(outside).toContain("ECONNREFUSED");
});

it("an agent cannot run the desk", async () => {
  await using person = makePerson();
  person.army();
  const below = `${person.relayDir()}/mcp/storm.json`;
  const run = await person.ovld(["desk", "--json"], { below });
  expect(run).toMatchObject({ code: 4, stdout: "" });
  expect(JSON.parse(run.stderr).error.code).toBe("agent-may-not-answer");
});

it("looking at an army at the desk changes nothing in its store", async () => {
  await using person = makePerson();
  person.army().deliver(letter);
  const files = (): string[] =>
    readdirSync(person.relayDir(), { recursive: true, encoding: "utf8" }).toSorted();
  const before = files();
  const desk = await startDesk(person);
  const cookie = await desk.enter();
  let heard = "";
  const socket = connect({ host: "127.0.0.1", port: desk.port });
  person.sandbox.defer(() => void socket.destroy());
  socket.setEncoding("utf8").on("data", (text: string) => (heard += text));
  socket.write(
    `GET ${desk.prefix}events HTTP/1.1\r\nHost: 127.0.0.1:${desk.port}\r\nCookie: ${cookie}\r\n\r\n`,
  );
  await expect.poll(() => heard, soon).toContain('"event":"usage"');
  expect(heard).toContain('"event":"army"');
  expect(files()).toEqual(before);
});

it("what is written at the desk is sent as the person, to one role or to all", async () => {
  await using person = makePerson();
  const mail = person.army();
  const desk = await startDesk(person);
  const cookie = await desk.enter();
  const one = await post(desk, cookie, "send", { to: "storm", body: "hello\n", priority: "urgent" });
  expect(JSON.parse(one.text)).toMatchObject([
    { id: expect.any(String), to: "storm", outcome: { state: "no-agent" } },
  ]);
  const [id = ""] = mail.unread("storm", { handedOut: false });
  expect(mail.peek("storm", id)).toMatchObject({ from: "human", subject: "hello", priority: "urgent" });
  const all = await post(desk, cookie, "send", {
    to: "all",
    subject: "halt",
    body: "stop",
    priority: "normal",
  });
  expect(JSON.parse(all.text)).toHaveLength(6);
  for (const [body, status] of [
    [{ to: "storm", body: "  ", priority: "normal" }, 409],
    [{ to: "nobody", body: "x", priority: "normal" }, 400],
    [{ to: "storm", body: "x".repeat(70_000), priority: "normal" }, 409],
    ["text", 400],
  ] as const)
    expect([body, (await post(desk, cookie, "send", body)).status]).toEqual([body, status]);
  expect(mail.countUnread("storm")).toBe(2);
});

it("two desks that reply to a question at once both reach the agent, and the question is read", async () => {
  await using person = makePerson();
  const mail = person.army();
  const asked = mail.deliver({ ...letter, from: "storm", to: "human", subject: "Which port?" });
  const desks = [await startDesk(person), await startDesk(person)];
  const reply = async (desk: RunningDesk, body: string): Promise<number[]> => {
    const cookie = await desk.enter();
    const said = { to: "storm", subject: "Re: Which port?", body, priority: "normal" };
    const answers = await Promise.all([
      post(desk, cookie, "send", said),
      post(desk, cookie, "read", { ids: [asked.id] }),
    ]);
    return answers.map(({ status }) => status);
  };
  expect(await Promise.all(desks.map((desk, index) => reply(desk, `${8080 + index}`)))).toEqual([
    [200, 200],
    [200, 200],
  ]);
  const bodies = mail.claim("storm").messages.map(({ body }) => body);
  expect([bodies.toSorted(), mail.countUnread("human")]).toEqual([["8080", "8081"], 0]);
});

it("a part of the journal comes without bodies, and a message with its story", async () => {
  await using person = makePerson();
  const mail = person.army();
  const { id } = mail.deliver({ ...letter, body: "the secret plan" });
  const desk = await startDesk(person);
  const headers = { cookie: await desk.enter() };
  const part = await desk.ask(`${desk.prefix}journal?from=0`, { headers });
  expect(JSON.parse(part.text)).toMatchObject({
    isCut: false,
    entries: [{ event: "stored", id, subject: "order" }],
  });
  expect(part.text).not.toContain("secret");
  const found = await desk.ask(`${desk.prefix}journal?text=SECRET`, { headers });
  expect(JSON.parse(found.text).entries).toHaveLength(1);
  const none = await desk.ask(`${desk.prefix}journal?text=castle`, { headers });
  expect(JSON.parse(none.text).entries).toHaveLength(0);
  const story = await desk.ask(`${desk.prefix}message?id=${id}`, { headers });
  expect(JSON.parse(story.text)).toMatchObject({ message: { body: "the secret plan" } });
  const missing = await desk.ask(`${desk.prefix}message?id=0mzzz&lang=ja`, { headers });
  expect([missing.status, JSON.parse(missing.text).error.code]).toEqual([409, "no-such-message"]);
  expect(JSON.parse(missing.text).error.message).toMatch(/[ぁ-ん]/);
});

function post(desk: RunningDesk, cookie: string, route: string, value: unknown) {
  const body = JSON.stringify(value);
  const headers = {
    cookie,
    origin: `http://127.0.0.1:${desk.port}`,
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
  };
  return desk.ask(`${desk.prefix}${route}`, { method: "POST", headers, body });
}

it("an export replaces a file only when it is complete, for the person's eyes only, and nothing but a plain file", async () => {
  await using person = makePerson();
  person.army().deliver({ ...letter, body: "a secret" });
  const [folder, pipe, old] = ["folder", "pipe", "old.html"].map((name) => join(person.project, name));
  if (!folder || !pipe || !old) throw new Error("no names");
  mkdirSync(folder);
  expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
  for (const name of ["folder", "pipe", "/dev/null", ""]) {
    const run = await person.ovld(["desk", "--export", name]);
    expect(run).toMatchObject({ code: 4, stdout: "" });
    expect(run.stderr).toContain("is not a plain file but a folder, a pipe or a device.");
  }
  writeFileSync(old, "an older one", { mode: 0o644 });
  symlinkSync(old, join(person.project, "link.html"));
  expect(await person.ovld(["desk", "--export", "link.html"])).toMatchObject({ code: 0 });
  expect(readFileSync(old, "utf8")).toContain("a secret");
  expect(statSync(old).mode & 0o777).toBe(0o600);
  expect(readdirSync(person.project).toSorted()).toEqual(["folder", "link.html", "old.html", "pipe"]);
});

it("turns and tokens of a role's earlier conversations count, and a turn that was cut off there has ended", async () => {
  await using person = makePerson();
  const mail = person.army();
  const at = new Date(0).toISOString();
  const [first, second] = ["a", "b"].map((letterOf) => `5b1c1f0e-6d3a-4a57-9a59-1d6f6a0e7c1${letterOf}`);
  for (const [id = "", minute] of [
    [first, "01"],
    [second, "02"],
  ] as const) {
    mail.recordConversation({
      role: "inferno",
      program: "practice",
      id,
      since: at,
      started: at,
      start: "began",
    });
    const usage = { input_tokens: 5, output_tokens: 7 };
    const lines = [
      {
        type: "user",
        timestamp: `2026-11-15T10:${minute}:00.000Z`,
        message: { role: "user", content: "go" },
      },
      { type: "assistant", message: { id: `m${minute}`, role: "assistant", model: "x", content: [], usage } },
    ];
    const path = join(person.relayDir(), "conversations", `${id}.jsonl`);
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }
  const file = join(person.project, "campaign.html");
  expect((await person.ovld(["desk", "--export", file])).code).toBe(0);
  const [, data = ""] = /id="campaign-data">(.*?)<\/script>/s.exec(readFileSync(file, "utf8")) ?? [];
  expect(JSON.parse(data).usage.inferno).toMatchObject({
    turns: 2,
    input: 10,
    output: 14,
    latest: [
      { from: "2026-11-15T10:01:00.000Z", until: expect.any(String) },
      { from: "2026-11-15T10:02:00.000Z", until: null },
    ],
  });
});
