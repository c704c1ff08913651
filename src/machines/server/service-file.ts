/** The text of a file with which the system starts the hub when the person logs in, and keeps it running. Pure. */
import { escapeMarkup } from "../../system/platform.ts";

export function formatService(
  kind: "systemd" | "launchd",
  { node, file }: { node: string; file: string },
): string {
  const words = [node, file, "hub", "keep"];
  return kind === "systemd" ? systemdUnit(words) : launchdList(words);
}

function systemdUnit(words: string[]): string {
  const escaped = words.map((word) => word.replaceAll(/["\\]/g, "\\$&").replaceAll(/[%$]/g, "$&$&"));
  const command = escaped.map((word) => `"${word}"`).join(" ");
  return `[Unit]
Description=ovld hub: mail between the machines of an army

[Service]
ExecStart=${command}
Restart=always
RestartSec=1
# The server outlives a crash of the process that supervises it, and is taken over by the next one.
KillMode=mixed

[Install]
WantedBy=default.target
`;
}

function launchdList(words: string[]): string {
  const strings = words.map((word) => `      <string>${escapeMarkup(word)}</string>`).join("\n");
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
  <dict>
    <key>Label</key>
    <string>ovld.hub</string>
    <key>ProgramArguments</key>
    <array>
${strings}
    </array>
    <key>RunAtLoad</key>
    <true/>
    <key>KeepAlive</key>
    <true/>
  </dict>
</plist>
`;
}
