/** The environment of this process or another. */
export type Environment = Readonly<Record<string, string | undefined>>;
