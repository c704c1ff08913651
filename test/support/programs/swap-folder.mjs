// Replaces a folder with a link as soon as a process has begun to empty it: swap-folder.mjs FOLDER AWAY OUTSIDE
import { readdirSync, renameSync, symlinkSync } from "node:fs";

const [, , folder, away, outside] = process.argv;
const all = readdirSync(folder).length;
process.stdout.write("ready");
try {
  while (readdirSync(folder).length === all);
  renameSync(folder, away);
  symlinkSync(outside, folder);
} catch {
  // The other process was faster, and the folder is gone.
}
