/**
 * Creates something the first time it is needed, so that a relay does not pay at its start for what it may never use.
 */
export function lazily<Thing>(make: () => Thing): () => Thing {
  let made: { thing: Thing } | undefined;
  return () => (made ??= { thing: make() }).thing;
}
