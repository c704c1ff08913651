// Loaded before ovld (`--import`): takes this Linux for a Mac. What the Mac's own programs are asked is translated for
// those of Linux, and each question is noted in the file of OVLD_TEST_ASKED. /proc is no more to be read.
import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

Object.defineProperty(process, "platform", { value: "darwin" });

const { spawnSync } = childProcess;
const { readFileSync } = fs;
childProcess.spawnSync = (program, args, options) => {
  if (process.env.OVLD_TEST_ASKED)
    fs.appendFileSync(process.env.OVLD_TEST_ASKED, `${[program, ...args].join(" ")}\n`);
  if (program === "stty") return spawnSync(program, ["-F", ...args.slice(1)], options);
  if (program !== "ps" || args[0] !== "-E") return spawnSync(program, args, options);
  try {
    const parts = ["cmdline", "environ"].map((file) => readFileSync(`/proc/${args.at(-1)}/${file}`, "utf8"));
    return { status: 0, stdout: parts.join("").split("\0").join(" ").trim() };
  } catch {
    return { status: 1, stdout: "" };
  }
};
for (const name of ["readFileSync", "readlinkSync", "readdirSync"]) {
  const real = fs[name];
  fs[name] = (path, ...rest) => {
    if (/^\/proc\b/.test(path)) throw new Error(`there is no ${path} on a Mac`);
    return real(path, ...rest);
  };
}
syncBuiltinESMExports();
