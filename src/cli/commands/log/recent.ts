/** Remembers the most recent entries and forgets the rest: a journal may contain a million messages. */
const MOST_REMEMBERED = 20_000;

export interface Recent<Value> {
  get(key: string): Value | undefined;
  add(key: string, value: Value): Value;
}

export function rememberRecent<Value>(): Recent<Value> {
  const values = new Map<string, Value>();
  return {
    get: (key) => values.get(key),
    add(key, value) {
      const [oldest] = values.size >= MOST_REMEMBERED ? values.keys() : [];
      if (oldest !== undefined) values.delete(oldest);
      values.set(key, value);
      return value;
    },
  };
}
