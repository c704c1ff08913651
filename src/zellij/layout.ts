/** Formats the army as a Zellij layout: KDL v1 text, from what each pane runs. Pure. */
import { FORMATION, type Tab } from "../army/formation.ts";
import type { Role } from "../army/roles.ts";

export interface PaneCommand {
  /** An absolute path. */
  program: string;
  args: readonly string[];
}

export interface ArmyLayout {
  /** The folder in which the agents work, as an absolute path. */
  cwd: string;
  /** Where a role's own agent works, if not all work in the same folder. */
  folderOf?: (role: Role) => string;
  commandOf: (role: Role) => PaneCommand;
  /** The roles that have a pane; undefined for all. A tab without panes is left out. */
  roles?: readonly Role[] | undefined;
  /** A key of this session only, and what it runs in a floating pane. */
  key?: { name: string; command: PaneCommand } | undefined;
}

/** The settings are in the layout because a session that is created in the background takes them from nowhere else. */
export function formatLayout({ cwd, commandOf, folderOf = () => cwd, roles, key }: ArmyLayout): string {
  const tabs = FORMATION.map((tab) => ({
    ...tab,
    panes: tab.panes.filter(({ role }) => roles?.includes(role) ?? true),
  })).filter(({ panes }) => panes.length > 0);
  const paneOf: PaneOf = (role) => {
    const folder = folderOf(role);
    return { ...commandOf(role), folder: folder === cwd ? undefined : folder };
  };
  return `session_serialization false
show_startup_tips false
show_release_notes false
${key === undefined ? "" : formatKey(key, cwd)}
layout {
    cwd ${kdlPath(cwd)}
    default_tab_template {
        pane size=1 borderless=true {
            plugin location="zellij:tab-bar"
        }
        children
        pane size=1 borderless=true {
            plugin location="zellij:status-bar"
        }
    }
${tabs.map((tab, index) => formatTab(tab, index === 0, paneOf)).join("")}}
`;
}

type PaneOf = (role: Role) => PaneCommand & { folder: string | undefined };

/** Added to the person's own keys. In locked mode all keys are the pane's. */
function formatKey(
  { name, command: { program, args } }: NonNullable<ArmyLayout["key"]>,
  cwd: string,
): string {
  return `keybinds {
    shared_except "locked" {
        bind ${kdlString(name)} {
            Run ${[program, ...args].map(kdlString).join(" ")} {
                cwd ${kdlString(cwd)}
                name "ovld status"
                floating true
                close_on_exit true
                x "5%"
                y "8%"
                width "90%"
                height "84%"
            }
        }
    }
}
`;
}

function formatTab({ name, split, panes }: Tab, focus: boolean, paneOf: PaneOf): string {
  const focused = focus ? " focus=true" : "";
  const whole = panes.reduce((sum, { percent }) => sum + percent, 0);
  const formatted = panes.map(({ role, percent }, index) => {
    // Roles on other machines leave their share to those that are here.
    const size = panes.length > 1 ? ` size="${Math.round((percent * 100) / whole)}%"` : "";
    const paneFocus = focus && index === 0 ? focused : "";
    const { program, args, folder } = paneOf(role);
    const place = folder === undefined ? "" : ` cwd=${kdlPath(folder)}`;
    const argument = args.length > 0 ? `            args ${args.map(kdlString).join(" ")}\n` : "";
    return `        pane name=${kdlString(role)}${size}${place}${paneFocus} {
            command ${kdlPath(program)}
${argument}        }
`;
  });
  return `    tab name=${kdlString(name)}${focused} split_direction="${split}" {
${formatted.join("")}    }
`;
}

/**
 * A text as a KDL v1 string. Characters that are invisible or change how others are displayed are written as code
 * points. NUL and half a surrogate pair cannot occur in an argument or a path, so they are left out.
 */
export function kdlString(text: string): string {
  const escaped = text
    .replaceAll(/[\0\p{Cs}]/gu, "")
    .replaceAll(/["\\]/g, "\\$&")
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return `"${escaped}"`;
}

/** The same for places where Zellij expands variables: `$$` stands for a dollar sign. */
function kdlPath(absolutePath: string): string {
  return kdlString(absolutePath.replaceAll("$", "$$$$"));
}
