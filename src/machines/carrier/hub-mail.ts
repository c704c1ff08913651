/** Built into a file of its own, so that only an army on several machines loads it. */
export { endEverywhere } from "./orders.ts";
export { loginsOf, testAccess } from "./test-access.ts";
export { lookAtArmy } from "./look-at-army.ts";
export { openWayOut, type OpenWayOut } from "./open-way-out.ts";
export { takePart, type Part } from "./take-part.ts";
