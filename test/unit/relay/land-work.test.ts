import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import type { Recipient } from "../../../src/army/roles.ts";
import * as TEXTS from "../../../src/i18n/en.ts";
import { openMail } from "../../../src/mail/mail.ts";
import type { MessageDraft } from "../../../src/mail/store/message.ts";
import { drop, sendBack } from "../../../src/person/work-of-army.ts";
import { landWork, tasksIn } from "../../../src/relay/land-work.ts";
import { handIn, takeTask } from "../../../src/work/tasks.ts";
import { deliverHere } from "../../../src/work/tell.ts";
import type { WorkRecord } from "../../../src/work/work.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { beginWork, commit, gitAs, makeWorkplace, task } from "../../support/work.ts";

async function makeArmy(record: Partial<WorkRecord> = {}) {
  const place = makeWorkplace({ "a.txt": "one\n" }, record);
  const relayDir = dirname(place.folder);
  const mail = openMail(relayDir);
  mail.init();
  const work = await beginWork(place, ["inferno"]);
  return {
    place,
    work,
    army: { session: "overlord", relayDir, mail, work },
    subjects: (reader: Recipient) =>
      mail.headers(reader, mail.unread(reader, { handedOut: true })).map(({ subject }) => subject),
    async hand(files: Record<string, string>) {
      const id = work.board.add(task("Work"));
      await takeTask(work, "inferno", id);
      commit(work.treeOf("inferno"), files);
      return handIn(work, "inferno", new Date());
    },
    relay: () =>
      landWork(
        { role: "inferno", relayDir, mail, env: place.env },
        (error) => {
          throw error;
        },
        () => TEXTS,
      ),
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  };
}

it("with into_mine a relay brings what it lands into the person's branch at once", async () => {
  await using army = await makeArmy({ intoMine: true, check: "true" });
  const relay = army.relay();
  await army.hand({ "a.txt": "two\n" });
  const file = join(army.place.home, "a.txt");
  await waitUntil("it is home", () => readFileSync(file, "utf8") === "two\n");
  expect(gitAs(army.place.home, "status", "--porcelain")).toBe("");
  relay?.close?.();
});

it("get_status names the tasks that a role has in hand", async () => {
  await using army = await makeArmy();
  await army.hand({ "a.txt": "two\n" });
  await takeTask(army.work, "inferno", army.work.board.add(task("More")));
  const tasksOf = tasksIn(dirname(army.place.folder), army.place.env);
  expect(tasksOf("inferno")).toEqual(["T1 ready", "T2 taken"]);
  expect(tasksOf("storm")).toEqual([]);
});

it("when the target itself is red, the overlord and the person read about it once, and the owner hears nothing", async () => {
  await using army = await makeArmy({ check: "false" });
  const relay = army.relay();
  await army.hand({ "a.txt": "two\n" });
  const expected = ["The check is red on ovld/overlord itself, so nothing lands"];
  await waitUntil("they are told", () => army.subjects("human").length > 0);
  expect(army.subjects("human")).toEqual(expected);
  expect(army.subjects("overlord")).toEqual(expected);
  expect(army.subjects("inferno")).toEqual([]);
  relay?.close?.();
});

it("the strategist hears of a task that comes back for the second time, also with words; an owner hears that its task was dropped", async () => {
  await using army = await makeArmy();
  for (const said of ["Not like this.", "Nor like this."]) {
    const id = army.work.board.list()[0]?.id;
    if (id === undefined) await army.hand({ "a.txt": `${said}\n` });
    else {
      commit(army.work.treeOf("inferno"), { "a.txt": `${said}\n` });
      await handIn(army.work, "inferno", new Date());
    }
    sendBack(army.army, "T1", "human", said);
    expect(army.subjects("strategist")).toEqual(id === undefined ? [] : ["T1 came back: returned by human"]);
  }
  expect(army.subjects("inferno")).toHaveLength(2);
  await drop(army.army, "T1", "human");
  expect(army.subjects("inferno").at(-1)).toBe("T1 was dropped by human");
});

it("each machine tells its own agents and the person, and one whose inbox is full keeps none of the others from hearing", () => {
  const told: string[] = [];
  const deliver = (draft: MessageDraft): never => {
    told.push(draft.to);
    throw new Error("full");
  };
  const about = { folder: "/", agent: "practice", summoned: "" } as const;
  const mail = { army: () => ({ ...about, roles: ["overlord", "strategist"] }), deliver };
  const drafts = (["overlord", "inferno", "strategist", "human"] as const).map((to): MessageDraft => ({
    from: "ovld",
    to,
    subject: "T1",
    body: "",
    priority: "normal",
  }));
  const said: unknown[] = [];
  deliverHere(mail, drafts, (error) => said.push(error));
  expect(told).toEqual(["overlord", "strategist", "human"]);
  expect(said).toHaveLength(3);
  expect(() => deliverHere(mail, drafts)).toThrow("full");
});
