/** The program under test, as built. */
import { join } from "node:path";

/** Scripts and tests are run in the project's root. */
export const OVLD = join(process.cwd(), "bin", "ovld.mjs");
