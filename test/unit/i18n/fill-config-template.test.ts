import { expect, it } from "vitest";
import { parseConfig } from "../../../src/config/config-file.ts";
import { fillConfigTemplate } from "../../../src/i18n/fill-config-template.ts";
import { LANGUAGES } from "../../../src/army/words.ts";
import { TEXTS } from "../../support/texts.ts";

it.each(LANGUAGES)("the file in %s sets nothing but the requested language", (language) => {
  expect(parseConfig("c", fillConfigTemplate(TEXTS[language], undefined))).toEqual({});
  expect(parseConfig("c", fillConfigTemplate(TEXTS[language], "ja"))).toEqual({ language: "ja" });
});

it.each(LANGUAGES)("the file in %s contains every setting, and each of its examples is valid", (language) => {
  const text = fillConfigTemplate(TEXTS[language], undefined).replaceAll(/^# (?=\[|\w+ = )/gm, "");
  expect(parseConfig("c", text)).toEqual({
    session: "overlord",
    agent: "claude",
    wake: "auto",
    language,
    zellij: "~/bin/zellij",
    agents: {
      may_unsummon: false,
      claude: {
        program: "~/.local/bin/claude",
        model: "opus",
        permission_mode: "acceptEdits",
        args: ["--add-dir", "/srv/data"],
      },
    },
    roles: { inferno: { model: "sonnet", permission_mode: "acceptEdits", args: [] } },
    bell: { carry: true },
    desk: { answer: true, notify: true, key: "Alt s" },
    rituals: { folder: "~/.config/ovld/rituals", focus: true },
    limits: { unread_per_inbox: 1000, body_bytes: 65536, journal_mb: 1024 },
    archive: { days: 30 },
    hub: {
      url: "tls://nats.example.com:4222",
      creds: "~/nats",
      ca: "~/nats/ca.pem",
      servers: ["10.0.0.1:4222", "10.0.0.2:4222", "10.0.0.3:4222"],
      replicas: 3,
    },
  });
});
