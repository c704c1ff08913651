// Preloaded into a program: writes down which functions of its bundles ran between two moments. A file named `begin` in
// OVLD_TEST_TRACE begins it, one named `end` ends it; `PID.begun` and `PID.json` answer.
import { existsSync, renameSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { join } from "node:path";

const folder = process.env.OVLD_TEST_TRACE;
const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

/** Calls back at once with what ran since the last time. */
function take(then) {
  session.post("Profiler.takePreciseCoverage", (_, { result }) => then(result));
}

let hasBegun = false;
const timer = setInterval(() => {
  if (!hasBegun && existsSync(join(folder, "begin"))) {
    hasBegun = true;
    take(() => writeFileSync(join(folder, `${process.pid}.begun`), ""));
  } else if (hasBegun && existsSync(join(folder, "end"))) {
    clearInterval(timer);
    take((scripts) => {
      const ran = scripts
        .filter(({ url }) => url.includes("/dist/"))
        .map(({ url, functions }) => ({
          file: url.replace("file://", ""),
          offsets: functions
            .filter(({ ranges: [range] }) => range.count > 0 && range.startOffset > 0)
            .map(({ ranges: [range] }) => range.startOffset),
        }));
      writeFileSync(join(folder, `${process.pid}.part`), JSON.stringify(ran));
      renameSync(join(folder, `${process.pid}.part`), join(folder, `${process.pid}.json`));
    });
  }
}, 10);
timer.unref();
