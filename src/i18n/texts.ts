/**
 * Every sentence that a person reads, in one language. English defines the keys that each language fills in. Each
 * language is built into a file of its own, which is loaded only when it is used.
 */
import type { Language } from "../army/words.ts";
import type { ErrorReport } from "../system/ovld-error.ts";
import type { AnswerTexts } from "./en/answer.ts";
import type { ArmiesTexts } from "./en/armies.ts";
import type { CliTexts } from "./en/cli.ts";
import type { ConversationTexts } from "./en/conversation.ts";
import type { CommandTexts } from "./en/commands.ts";
import type { DeskTexts } from "./en/desk.ts";
import type { DoctorTexts } from "./en/doctor.ts";
import type { FailureTexts } from "./en/failures.ts";
import type { HelpTexts } from "./en/help.ts";
import type { HoldTexts } from "./en/holds.ts";
import type { HubTexts } from "./en/hub.ts";
import type { InitTexts } from "./en/init.ts";
import type { InsightTexts } from "./en/insight.ts";
import type { LogTexts } from "./en/log.ts";
import type { PlayTexts } from "./en/play.ts";
import type { PracticeTexts } from "./en/practice.ts";
import type { ReturnTexts } from "./en/returning.ts";
import type { RitualTexts } from "./en/rituals.ts";
import type { SendTexts } from "./en/send.ts";
import type { SessionTexts } from "./en/session.ts";
import type { StatusTexts } from "./en/status.ts";

export interface Texts {
  language: Language;
  answer: AnswerTexts;
  armies: ArmiesTexts;
  cli: CliTexts;
  conversation: ConversationTexts;
  commands: CommandTexts;
  desk: DeskTexts;
  doctor: DoctorTexts;
  failures: FailureTexts;
  help: HelpTexts;
  holds: HoldTexts;
  hub: HubTexts;
  init: InitTexts;
  insight: InsightTexts;
  log: LogTexts;
  play: PlayTexts;
  practice: PracticeTexts;
  returning: ReturnTexts;
  rituals: RitualTexts;
  send: SendTexts;
  session: SessionTexts;
  status: StatusTexts;
  /** One or two sentences; `describe-error.ts` makes them safe to print. */
  error(report: ErrorReport): string;
  configTemplate: string;
}

/** Loads the texts of a language on first use. */
export type LoadTexts = (language: Language) => Texts;

/** All that `ovld --help` says, built into a small file of its own: it should be there at once. */
export type HelpPageTexts = Pick<Texts, "cli" | "help">;

/** All that the desk's page says. */
export type PageTexts = Pick<
  Texts,
  | "language"
  | "answer"
  | "armies"
  | "conversation"
  | "desk"
  | "failures"
  | "holds"
  | "log"
  | "rituals"
  | "send"
  | "status"
>;
