/** The marks of roles and states, drawn here so that they need no font: a shape says the same as its colour. */
import type { Sender } from "../../army/roles.ts";
import type { TaskState } from "../../work/board.ts";
import type { RoleView } from "../../view/describe-army.ts";
import { usePage } from "./page-parts.tsx";

/** In a square of 16: the strokes of 人, 令, 王, 軍, 火, 氷, 闇 and 風. */
export const SIGILS: Record<Sender, string> = {
  human: "M8 2C8 8 6 12 2.5 14M8 6C9 10 11 12.5 13.5 14",
  ovld: "M8 2L2.5 6.5M8 2L13.5 6.5M6 6.5H10M4 9H12L9 12M7 11L10 14.5",
  overlord: "M3 3H13M4 8H12M2.5 13H13.5M8 3V13",
  strategist: "M2.5 4.5V2.5H13.5V4.5M3.5 5.200H12.5M4.5 7V10.5H11.5V7ZM4.5 8.700H11.5M2.5 12.5H13.5M8 4V15",
  inferno: "M8 2C8 8 6 12 2.5 14M8 7C9 10 11 12.5 13.5 14M3.5 5.5L5 9M12.5 5L11 8.5",
  glacier:
    "M8 2V13.5L6.5 12.5M2.5 6.5H6C5.5 9.5 4 11.5 2 12.5M13 5L9 8M9 8C10 10.5 12 12.5 14 13M4 2.5L5.5 4.2",
  shadow:
    "M2.5 14V2.5H6.5V6H2.5M2.5 4.200H6.5M13.5 14V2.5H9.5V6H13.5M9.5 4.200H13.5M5.5 7.800H10.5M5 9.800H11M6 11.200V14H10V11.200ZM6 12.600H10",
  storm:
    "M4 2.5H12M4 2.5V9C4 11 3.5 12.5 2 14M12 2.5V10C12 12.5 13 13.5 14.5 13.5V12M6 5H10M6.2 6.800V9.300H9.800V6.800ZM8 5V11.800M5.8 12L10.2 11.4",
};

export function Sigil({ role }: { role: Sender }) {
  return (
    <svg class={`sigil ${role}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={SIGILS[role]} />
    </svg>
  );
}

export function RoleName({ role }: { role: Sender }) {
  const { you } = usePage().words;
  return (
    <span class={`role ${role}`}>
      <Sigil role={role} />
      {role === "human" ? you : role}
    </span>
  );
}

type Shape = RoleView["agent"]["state"] | TaskState | "blocked";

/** In a square of 10. Those that end with Z are filled. */
const SHAPES: Record<Shape, string> = {
  busy: "M2 1L9 5L2 9Z",
  idle: "M5 1.5A3.5 3.5 0 1 1 4.99 1.5",
  asking: "M5 0L10 5L5 10L0 5Z",
  suspended: "M3 1V9M7 1V9",
  failed: "M1.5 1.5L8.5 8.5M8.5 1.5L1.5 8.5",
  gone: "M1.5 1.5H8.5V8.5H1.5L8.5 1.5",
  starting: "M5 1.5A3.5 3.5 0 0 1 5 8.5",
  unknown: "M2 5H8",
  blocked: "M3 1V9M7 1V9",
  open: "M5 1.5A3.5 3.5 0 1 1 4.99 1.5",
  taken: "M2 1L9 5L2 9Z",
  ready: "M1 9V1L9 3.5L1 6Z",
  landing: "M5 1V7M2 5L5 8L8 5",
  returned: "M9 8V4H2M4.5 1.5L2 4L4.5 6.5",
  landed: "M1 5.5L4 8.5L9 2",
  dropped: "M2 5H8",
};

export function Mark({ is }: { is: Shape }) {
  const path = SHAPES[is];
  return (
    <svg class={path.endsWith("Z") ? "shape full" : "shape"} viewBox="0 0 10 10" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
