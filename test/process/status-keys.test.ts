import { expect, it } from "vitest";
import { startAsker } from "../support/askers.ts";
import { OVLD } from "../support/ovld.ts";
import { makePerson, poseAsRelay, type Person } from "../support/person.ts";
import { COMMAND, PLAN } from "../support/requests.ts";
import { createScreen } from "../support/screen.ts";
import { openTerminal, type Terminal } from "../support/terminal.ts";
import { soon } from "../support/wait-until.ts";

const HINTS = "a answer   g go to a pane   w write to a role   q leave";

interface Watching extends Terminal {
  /** What the terminal shows right now. */
  screen: () => string;
  resize: (columns: number, rows: number) => void;
}

interface Circumstances {
  env?: Record<string, string>;
  columns?: number;
  rows?: number;
}

/** Runs `ovld status --watch` in a shell that says afterwards in which mode it finds its terminal. */
function watch(person: Person, { env, columns = 120, rows = 30 }: Circumstances = {}): Watching {
  const line = `"$0" "$1" status --watch; echo "left with $?"; stty -a`;
  const terminal = openTerminal(
    person.sandbox,
    { ...person.env, ...env },
    person.project,
    ["/bin/sh", "-c", line, process.execPath, OVLD],
    { columns, rows },
  );
  const screen = createScreen(columns, rows);
  terminal.pty.onData((text) => screen.write(text));
  return {
    ...terminal,
    screen: () => screen.lines().join("\n"),
    resize(newColumns, newRows) {
      screen.resize(newColumns, newRows);
      terminal.pty.resize(newColumns, newRows);
    },
  };
}

it("with the key a everything that is open is shown whole and answered, and the status returns", async () => {
  await using person = makePerson();
  person.army();
  const [inferno, storm] = [await startAsker(person, "inferno"), await startAsker(person, "storm")];
  const long = `echo begin\n${"echo more\n".repeat(60)}echo end`;
  const command = inferno.ask({ ...COMMAND, action: { what: "command", command: long } });
  const plan = storm.ask(PLAN);
  const { pty, screen, output } = watch(person);
  await expect.poll(screen, soon).toContain(HINTS);
  pty.write("a");
  await expect.poll(output, soon).toContain("[n] deny  [Enter] skip");
  expect(output()).toMatch(/echo begin\r\n/);
  expect(output().match(/echo more\r\n/g)).toHaveLength(60);
  expect(output()).toMatch(/echo end\r\n/);
  pty.write("y\r");
  expect(await inferno.taken(command)).toMatchObject({ from: "terminal", verdict: { verdict: "allow" } });
  await expect.poll(output, soon).toContain("[n] send back");
  pty.write("n\r");
  await expect.poll(output, soon).toContain("What should be different?");
  pty.write("another hill\r");
  expect(await storm.taken(plan)).toMatchObject({ verdict: { verdict: "deny", reason: "another hill" } });
  await expect
    .poll(screen, soon)
    .toMatch(/role +agent[^]+inferno has your answer\.\nstorm has your answer\.\na answer {3}g go to/);
});

it("a request that goes away while it is shown is reported, and the key a then shows only what is open", async () => {
  await using person = makePerson();
  person.army();
  const inferno = await startAsker(person, "inferno");
  const first = inferno.ask(COMMAND);
  const { pty, screen, output } = watch(person);
  await expect.poll(screen, soon).toContain(HINTS);
  pty.write("a");
  await expect.poll(output, soon).toContain("[n] deny  [Enter] skip");
  inferno.end(first, "pane");
  await expect.poll(screen, soon).toMatch(/inferno had already been answered in its pane\.\na answer {3}g/);
  pty.write("a");
  await expect.poll(screen, soon).toContain("Nothing to answer.");
});

it("with the key w the person writes to a role, in several lines, and reads what became of it", async () => {
  await using person = makePerson();
  const mail = person.army();
  const { pty, screen, output } = watch(person);
  await expect.poll(screen, soon).toContain(HINTS);
  pty.write("w");
  await expect.poll(output, soon).toContain("Number or name  [Enter] back: ");
  pty.write("7\r");
  await expect.poll(output, soon).toContain("That is not one of the choices.");
  pty.write("5\r");
  await expect.poll(output, soon).toContain("Write your message to shadow.");
  pty.write("look north\r\rand south\r");
  await expect.poll(output, soon).toContain("and south");
  pty.write("\u0004");
  await expect.poll(output, soon).toContain("Is it urgent? [y/N]");
  pty.write("y\r");
  await expect
    .poll(screen, soon)
    .toMatch(
      /Message \S+ to shadow is stored\.\nNo agent is running for shadow; the message waits in the inbox\.\na/,
    );
  expect(mail.claim("shadow").messages).toMatchObject([
    { from: "human", body: "look north\n\nand south", priority: "urgent", subject: "look north" },
  ]);
  const before = output().length;
  pty.write("w");
  await expect.poll(() => output().slice(before), soon).toContain("Number or name");
  pty.write("\r");
  await expect.poll(screen, soon).toContain(HINTS);
});

it("outside the army's session the key g says how to get to a role's pane, and Escape goes back", async () => {
  await using person = makePerson();
  poseAsRelay(person.army(), "inferno", { pane: 2 });
  const { pty, screen } = watch(person);
  await expect.poll(screen, soon).toContain(HINTS);
  pty.write("g");
  await expect
    .poll(screen, soon)
    .toContain("Go to  1 overlord  2 strategist  3 inferno  4 glacier  5 shadow  6 storm");
  pty.write("\u001b");
  await expect.poll(screen, soon).toContain(HINTS);
  pty.write("g3");
  await expect
    .poll(screen, soon)
    .toContain(
      "You are not inside the army. The way to inferno: ovld summon, then Ctrl-t 2 (tab battlefield)",
    );
  pty.write("g1");
  await expect.poll(screen, soon).toContain("overlord has no pane.");
});

it("below an agent the keys neither answer nor write", async () => {
  await using person = makePerson();
  const mail = person.army();
  const inferno = await startAsker(person, "inferno");
  const stored = inferno.ask(COMMAND);
  const { pty, screen } = watch(person, { env: { OVLD_ROLE: "inferno" } });
  for (const key of ["a", "w"]) {
    await expect.poll(screen, soon).toContain("q leave");
    pty.write(key);
    await expect.poll(screen, soon).toContain("Only the person may run ovld status --watch");
    pty.write("x");
    await expect.poll(screen, soon).not.toContain("Only the person may run ovld status --watch");
  }
  expect(inferno.box.find("inferno", stored.request.id)).toBeDefined();
  expect(mail.claim("overlord").messages).toEqual([]);
});

it("pasted text is not taken for keys", async () => {
  await using person = makePerson();
  person.army();
  const { pty, screen } = watch(person);
  await expect.poll(screen, soon).toContain(HINTS);
  pty.write("\u001b[200~q w a\u001b[201~g");
  await expect.poll(screen, soon).toContain("Go to  1 overlord");
});

const WAYS_OUT: [string, string, (terminal: Watching, person: Person) => void | Promise<void>][] = [
  ["q", "left with 0", ({ pty }) => pty.write("q")],
  ["Ctrl-C", "left with 130", ({ pty }) => pty.write("\u0003")],
  ["the end of the army", "left with 3", (_, person) => void person.army().cleanUp()],
  [
    "Ctrl-C while the person is asked something",
    "left with 130",
    async ({ pty, screen }) => {
      pty.write("w");
      await expect.poll(screen, soon).toContain("Number or name");
      pty.write("\u0003");
    },
  ],
];

it.each(WAYS_OUT)("after %s the terminal is as it was", async (_how, left, leave) => {
  await using person = makePerson();
  person.army();
  const terminal = watch(person);
  await expect.poll(terminal.screen, soon).toContain(HINTS);
  await leave(terminal, person);
  await terminal.exited;
  // The last lines may be read after the end is noticed.
  const mode = (): string => terminal.output().split(left)[1] ?? "";
  await expect.poll(mode, soon).toMatch(/ icanon [^]* echo /);
  for (const [on, off] of [
    ["?1049h", "?1049l"],
    ["?25l", "?25h"],
    ["?2004h", "?2004l"],
  ] as const)
    expect(terminal.output().lastIndexOf(off)).toBeGreaterThan(terminal.output().lastIndexOf(on));
});

it("on a small terminal the keys stay visible, what does not fit is announced, and a larger one shows all of it", async () => {
  await using person = makePerson();
  person.army().setStatus("storm", "working", "raising wind");
  const { screen, resize } = watch(person, { columns: 34, rows: 9 });
  await expect
    .poll(screen, soon)
    .toMatch(/… \d+ more lines[^]+a answer   g go to a pane   w writ\ne to a role   q leave/);
  expect(screen()).not.toContain("raising wind");
  resize(120, 30);
  await expect.poll(screen, soon).toMatch(/raising wind[^]+q leave/);
  expect(screen()).not.toContain("more lines");
});

it("a terminal that cannot move its cursor gets no control characters, and its keys work", async () => {
  await using person = makePerson();
  person.army();
  const { pty, output, exited } = watch(person, { env: { TERM: "dumb" } });
  await expect.poll(output, soon).toContain(HINTS);
  pty.write("g");
  await expect.poll(output, soon).toContain("Go to  1 overlord");
  pty.write("qq");
  await exited;
  expect(output()).toContain("left with 0");
  expect(output()).not.toContain("\u001b");
});

it("everything about the keys is in Japanese for a Japanese environment", async () => {
  await using person = makePerson();
  person.army();
  const { pty, screen } = watch(person, { env: { LANG: "ja_JP.UTF-8" } });
  await expect.poll(screen, soon).toContain("a 回答   g ペインへ移動   w 手紙を書く   q 終了");
  pty.write("w");
  await expect.poll(screen, soon).toContain("番号または名前  [Enter] 戻る:");
});
