/** The program under test, as it is built. */
import { join } from "node:path";

/** The project's root is where its scripts and tests are run. */
export const OVLD = join(process.cwd(), "bin", "ovld.mjs");
