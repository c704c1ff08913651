/** Where each role is: three tabs, six panes. A pane is named after its role. */
import type { Role } from "./roles.ts";

export interface Tab {
  name: "command" | "battlefield" | "support";
  /** In Zellij's terms: vertical is side by side, horizontal one above the other. */
  split: "vertical" | "horizontal";
  panes: readonly { role: Role; percent: number }[];
}

/** In the order in which a person sees them; the first tab and its first pane have the focus. */
export const FORMATION: readonly Tab[] = [
  {
    name: "command",
    split: "vertical",
    panes: [
      { role: "overlord", percent: 30 },
      { role: "strategist", percent: 70 },
    ],
  },
  { name: "battlefield", split: "horizontal", panes: [{ role: "inferno", percent: 100 }] },
  {
    name: "support",
    split: "horizontal",
    panes: [
      { role: "glacier", percent: 33 },
      { role: "shadow", percent: 33 },
      { role: "storm", percent: 34 },
    ],
  },
];
