/** The person at the keyboard of a campaign: does one errand after the other, as planned. */
import type { attendSeats } from "../../test/support/seats.ts";
import { waitUntil } from "../../test/support/wait-until.ts";
import type { Errand } from "./part.ts";

export interface CampaignPerson {
  /** Resolves when it is done; reports what could not be done. */
  send(errand: Errand): Promise<void>;
  hasErrands(): boolean;
}

type Seats = ReturnType<typeof attendSeats>;

const PATIENT = { timeout: 60_000, interval: 50 };
const GO_ON = "Please go on.";

export function seatPerson(seats: Seats, tell: (problem: string) => void): CampaignPerson {
  let last = Promise.resolve();
  let waiting = 0;
  return {
    send(errand) {
      waiting += 1;
      last = last
        .then(() => run(seats, errand))
        .catch((error: unknown) => tell(`${errand.act}, ${errand.role}: ${String(error)}`))
        .finally(() => (waiting -= 1));
      return last;
    },
    hasErrands: () => waiting > 0,
  };
}

async function run(seats: Seats, { act, role, text = "" }: Errand): Promise<void> {
  const pane = seats.pane(role);
  const isNow = (state: string) => (): boolean => seats.report(role)?.state === state;
  const isEmpty = async (): Promise<boolean> => (await pane.composer()) === "";
  const say = async (words: string): Promise<void> => {
    await waitUntil(`the composer of ${role} is empty`, isEmpty, PATIENT);
    await pane.say(words);
  };
  switch (act) {
    case "type":
      if (text.startsWith("/")) await waitUntil(`${role} is idle`, isNow("idle"), PATIENT);
      return say(text);
    case "accept":
      await waitUntil(`${role} is asking`, isNow("asking"));
      return pane.answer("enter");
    case "refuse":
      await waitUntil(`${role} is asking`, isNow("asking"));
      await pane.answer("no");
      return pane.say(GO_ON);
    case "interrupt":
      await waitUntil(`${role} is busy`, isNow("busy"), PATIENT);
      for (let attempt = 1; attempt <= 5 && isNow("busy")(); attempt += 1) {
        await pane.press("escape");
        await waitUntil(`${role} is idle`, isNow("idle"), { timeout: 3_000 }).catch(() => {});
      }
      return pane.say(GO_ON);
  }
}
