/** Makes something the first time it is asked for: a relay must not pay at its start for what it may never need. */
export function lazily<Thing>(make: () => Thing): () => Thing {
  let made: { thing: Thing } | undefined;
  return () => (made ??= { thing: make() }).thing;
}
