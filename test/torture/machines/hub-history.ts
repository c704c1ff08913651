/** What happened in a torture of a hub, and when, so that a broken promise explains itself. */

interface Happening {
  at: number;
  what: string;
  /** The messages that it is about; none for an incident. */
  bodies: string[];
}

/** Incidents this long before a message was first heard of may be the cause. */
const BEFORE_MS = 10_000;

export function openHubHistory() {
  const began = performance.now();
  const all: Happening[] = [];
  return {
    add: (what: string, bodies: string[] = []) =>
      void all.push({ at: Math.round(performance.now() - began), what, bodies }),
    /** All about these messages, and the incidents of that time. */
    about(bodies: string[]): string[] {
      const isAbout = (each: Happening): boolean => bodies.some((body) => each.bodies.includes(body));
      const own = all.filter(isAbout);
      const from = (own[0]?.at ?? 0) - BEFORE_MS;
      const until = own.at(-1)?.at ?? 0;
      return all
        .filter((each) => isAbout(each) || (each.bodies.length === 0 && each.at >= from && each.at <= until))
        .map(({ at, what }) => `${at} ms: ${what}`);
    },
  };
}
