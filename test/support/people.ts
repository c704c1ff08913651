/**
 * What people differ in: their Zellij configuration, their environment, their folders, and the names of their armies.
 */

/** Possible content of a person's `config.kdl`, apart from keys. */
export const CONFIGURATIONS: readonly (readonly [what: string, kdl: string])[] = [
  ["keys go to the pane until Zellij is unlocked", `default_mode "locked"`],
  ["no frames, and a plain interface", `pane_frames false\nsimplified_ui true`],
  ["whole frames, round, without the session's name", frames()],
  ["no mouse", `mouse_mode false\nadvanced_mouse_actions false\nmouse_hover_effects false`],
  ["the focus follows the mouse", `focus_follows_mouse true\ncopy_on_select false`],
  ["hardly any scrollback", `scroll_buffer_size 1`],
  ["another layout by default", `default_layout "compact"`],
  ["a default layout that is not there", `default_layout "nowhere"\nlayout_dir "/nowhere"`],
  ["a shell that ends at once", `default_shell "/bin/false"`],
  ["sessions are saved every second", saved()],
  ["closing the terminal ends the session", `on_force_close "quit"`],
  ["everybody sees the same", `mirror_session true`],
  ["a theme that is not there", `theme "nowhere"\nstyled_underlines false`],
  ["hardly any keys", `keybinds clear-defaults=true { normal { bind "Ctrl q" { Quit; }; }; }`],
  ["panes stay as they are", `auto_layout false\nstacked_resize false`],
  ["plain keys, and nothing shared", plainKeys()],
  ["another folder and more variables for every pane", `default_cwd "/"\nenv { EDITOR "vi"; LANG "C"; }`],
  ["a session of one's own to go to", `session_name "mine"\nattach_to_session true`],
];

function frames(): string {
  return `pane_frame_style "full"\nui { pane_frames { rounded_corners true; hide_session_name true; }; }`;
}

function saved(): string {
  return `session_serialization true\nserialize_pane_viewport true\nserialization_interval 1\npost_command_discovery_hook "echo"`;
}

function plainKeys(): string {
  return `support_kitty_keyboard_protocol false\nweb_sharing "disabled"\nshow_startup_tips true\nshow_release_notes true\nload_plugins { "zellij:link"; }`;
}

/** Variables added to a clean environment. */
export const ENVIRONMENTS: readonly Readonly<Record<string, string>>[] = [
  {},
  { LANG: "ja_JP.UTF-8" },
  { LANG: "C", LC_ALL: "C" },
  { TERM: "dumb" },
  { TERM: "screen", COLUMNS: "20", LINES: "5" },
  { NO_COLOR: "1" },
  { FORCE_COLOR: "3", CLICOLOR_FORCE: "1" },
  { SHELL: "/bin/false", EDITOR: "/nowhere" },
  { CI: "1" },
  { TZ: "Asia/Kathmandu" },
  { HTTP_PROXY: "http://127.0.0.1:9", HTTPS_PROXY: "http://127.0.0.1:9" },
  { NODE_OPTIONS: "--max-old-space-size=512", NODE_ENV: "production" },
  { XDG_RUNTIME_DIR: "/nowhere", XDG_DATA_HOME: "/nowhere" },
  { ZELLIJ_AUTO_ATTACH: "true", CDPATH: "/", ENV: "/nowhere", BASH_ENV: "/nowhere" },
];

/** Names of folders. */
export const FOLDERS: readonly string[] = [
  "two words",
  "日本語のフォルダ",
  `quotes " and '`,
  "$NOWHERE",
  "back\\slash",
  "~",
  "{brackets} [and] #more;&",
  "-dash 🔥",
];

/** Names of armies. */
export const NAMES: readonly string[] = [
  "overlord",
  "a",
  "Z",
  "9",
  "007",
  "x-y",
  "x_y-",
  "overlord-2",
  "storm",
  "action",
  "null",
  "N".repeat(40),
];
