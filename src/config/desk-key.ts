/** The key of an army's session that opens `ovld status --watch`, as Zellij spells keys. */

/** Neither Zellij nor Claude Code uses it. */
export const DESK_KEY = "Alt s";

/** In place of a key: there is none. */
export const NO_KEY = "off";

/** A letter or digit with Ctrl, Alt or Super, or a function key. A key alone would be missing when the person types. */
export function isDeskKey(text: string): boolean {
  return (
    text === NO_KEY ||
    /^(?:(?:(?:Ctrl|Alt|Super) )+(?:Shift )?[a-z0-9]|(?:(?:Ctrl|Alt|Super|Shift) )*F(?:[1-9]|1[0-2]))$/.test(
      text,
    )
  );
}
