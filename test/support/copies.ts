/** Two clones of one repository: the board in one, a copy of it and the tree of inferno in the other. */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../../src/system/run-program.ts";
import type { MessageDraft } from "../../src/mail/store/message.ts";
import { answerCopy, exchange, findBase, type Wish } from "../../src/work/copies.ts";
import { provideTarget } from "../../src/work/target.ts";
import { landReady } from "../../src/work/land.ts";
import { provideTree } from "../../src/work/trees.ts";
import { openWork, recordWork, type Work, type WorkStep } from "../../src/work/work.ts";
import { beginWork, makeWorkplace, type Workplace } from "./work.ts";

export const ROLE = "inferno";

export interface Clones extends AsyncDisposable {
  home: Workplace;
  board: Work;
  copy: Work;
  tree: string;
  /** What agents of the other machine were told. */
  told: MessageDraft[];
  /** How many characters each question had. */
  sizes: number[];
  /** While false, nobody answers. */
  link: { isUp: boolean };
  ask: (question: string) => Promise<string | undefined>;
  exchange: (wish?: Wish, first?: () => Promise<void>) => ReturnType<typeof exchange>;
  land: () => Promise<void>;
}

export function openAgain(folder: string, env: Environment, onStep?: (step: WorkStep) => void): Work {
  const work = openWork(folder, env, onStep);
  if (work === undefined) throw new Error("there is no work");
  return work;
}

/** `files` are in the commit that both clones have. */
export async function makeClones(files: Record<string, string>, check?: string): Promise<Clones> {
  const home = makeWorkplace(files, check === undefined ? {} : { check });
  const board = await beginWork(home, ["strategist"]);
  const project = join(home.root, "b", "project");
  execFileSync("git", ["clone", "-q", "--no-local", home.home, project]);
  const told: MessageDraft[] = [];
  const sizes: number[] = [];
  const link = { isUp: true };
  const ask = async (question: string): Promise<string | undefined> => {
    sizes.push(question.length);
    return link.isUp ? answerCopy(board, ROLE, question) : undefined;
  };
  const found = await findBase({ folder: project, env: home.env }, ask);
  if (typeof found === "string") throw new Error(found);
  const folder = join(home.root, "b", "work");
  mkdirSync(folder, { recursive: true });
  const { army, checkMinutes } = board;
  const same = { army, checkMinutes, branch: "main", folder: "", intoMine: false, lastNumber: 0 };
  recordWork(folder, { ...same, home: project, trees: join(home.root, "b", "trees"), ...found });
  const copy = openAgain(folder, home.env);
  await provideTarget(copy, "new");
  await provideTree(copy, ROLE, copy.targetRef);
  const tell = (drafts: MessageDraft[]): void => void told.push(...drafts.filter(({ to }) => to === ROLE));
  return {
    home,
    board,
    copy,
    tree: copy.treeOf(ROLE),
    told,
    sizes,
    link,
    ask,
    exchange: (wish, first) => exchange({ work: copy, role: ROLE, ask, tell }, wish, first),
    land: () => landReady(board, { stop: new AbortController().signal, tell: () => {} }),
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  };
}
