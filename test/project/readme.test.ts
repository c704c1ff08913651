import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { readSettings } from "../../src/config/settings.ts";
import { OLDEST_ZELLIJ } from "../../src/zellij/version.ts";
import { OVLD, runOvld } from "../support/ovld.ts";
import { makeSandbox } from "../support/sandbox.ts";

const root = process.cwd();
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Its packages are bundled, so there is nothing to fetch. */
const INSTALL = "npm install --global --install-links .";

const READMES = ["README.md", "README.ja.md"];
const GUIDES = readdirSync(join(root, "docs/guides")).filter((name) => name.endsWith(".md"));

describe.each(READMES)("%s", (name) => {
  const text = readFileSync(join(root, name), "utf8");

  it("names only commands that exist", async () => {
    await using sandbox = makeSandbox();
    const commands = blocks(text, "sh").flatMap((block) => block.trim().split("\n"));
    expect(commands.length).toBeGreaterThan(0);
    const help = (await runOvld(sandbox, ["--help"])).stdout;
    for (const command of commands) {
      if (command === INSTALL || command === "cd your-project") continue;
      const [, script, subcommand] = /^(?:npm (?:run )?([\w:]+)|ovld (\w+))$/.exec(command) ?? [];
      expect(script === undefined ? help : JSON.stringify(manifest.scripts)).toContain(
        script ?? `  ovld ${subcommand}`,
      );
    }
  });

  it("shows how to install ovld for good", async () => {
    await using sandbox = makeSandbox();
    expect(blocks(text, "sh").flatMap((block) => block.split("\n"))).toContain(INSTALL);
    const [program, ...args] = [...INSTALL.split(" "), "--prefix", sandbox.root, "--offline"];
    const install = spawnSync(program, args, { cwd: root, encoding: "utf8" });
    expect([install.status, install.stderr]).toEqual([0, expect.anything()]);
    const installed = join(sandbox.root, "bin/ovld");
    expect(lstatSync(join(sandbox.root, "lib/node_modules/ovld")).isSymbolicLink()).toBe(false);
    expect(existsSync(join(sandbox.root, "share/man/man1/ovld.1"))).toBe(true);
    const run = (word: string) => spawnSync(installed, [word], { encoding: "utf8" }).stdout;
    expect(run("--version")).toContain(`ovld ${manifest.version}\n`);
    expect(run("update")).toContain("\n  npm install --global ovld@latest\n");
  });

  it("names the plugin for Claude Code and its skills as they are called", () => {
    const marketplace = JSON.parse(read(".claude-plugin/marketplace.json"));
    expect(text).toContain(`/plugin install ${marketplace.plugins[0].name}@${marketplace.name}`);
    for (const skill of readdirSync(join(root, "plugin/skills"))) expect(text).toContain(`/ovld:${skill}`);
  });

  it("has at most 110 lines", () => {
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(110);
  });
});

describe.each(GUIDES.flatMap((name) => [`docs/guides/${name}`, `docs/guides/ja/${name}`]))("%s", (name) => {
  const text = readFileSync(join(root, name), "utf8");

  it("shows commands and flags that exist", async () => {
    await using sandbox = makeSandbox();
    const commands = blocks(text, "sh").flatMap((block) => block.trim().split("\n"));
    for (const command of commands) {
      const [, subcommand = "", flags = ""] = /^ovld (\w+)([^>]*)/.exec(command) ?? [];
      const help = await runOvld(sandbox, [subcommand, "--help"]);
      expect([command, help.code]).toEqual([command, 0]);
      for (const [flag] of flags.matchAll(/(?<= )--(?!lang)[a-z-]+/g))
        expect([command, help.stdout]).toEqual([command, expect.stringMatching(`${flag}\\b(?!-)`)]);
    }
  });

  it("shows settings that exist", async () => {
    await using sandbox = makeSandbox();
    const folder = join(sandbox.env["XDG_CONFIG_HOME"] ?? join(sandbox.home, ".config"), "ovld");
    mkdirSync(folder, { recursive: true });
    for (const settings of blocks(text, "toml")) {
      writeFileSync(join(folder, "config.toml"), settings);
      expect(readSettings(sandbox.env)).toBeDefined();
    }
  });

  it("is read on one screen, and needs no file that is not installed", () => {
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(90);
    expect([...text.matchAll(/\]\(/g)]).toEqual([]);
  });
});

it("what ovld prints and writes names no file of the documentation, and every guide that is named exists", async () => {
  await using sandbox = makeSandbox();
  const texts = ["src/i18n", "rituals", "plugin"].flatMap(textsIn);
  const documents = texts.flatMap((text) => text.match(/docs\/\S*|(?<![\w./])[\w-]+\.md\b/g) ?? []);
  expect(documents.filter((name) => name !== "shared.md")).toEqual([]);
  const everywhere = [...texts, ...textsIn("docs"), ...READMES.map(read)];
  const named = everywhere.flatMap((text) =>
    Array.from(text.matchAll(/ovld help ([a-z-]+)/g), ([, topic = ""]) => topic),
  );
  expect(named.length).toBeGreaterThan(10);
  for (const topic of new Set(named))
    expect([topic, (await runOvld(sandbox, ["help", topic])).code]).toEqual([topic, 0]);
});

/** What reads like a translation, and words that are not in the glossary; a key of the table and a setting may be called so. */
const NOT_SAID: Record<"en" | "ja", RegExp> = {
  en: /(?<![[{])\b(?:rung|begun|bells?|anew|mend(?:s|ed)?|heard of|at home|passed on|looked at:|relay folder|mail store|comes too late|exclude each other|woken for nothing|as shipped|counts as used up|seen from here|nobody knows|words of yours|Nothing of this|Why\?|Enter later|asking you anything)(?!\w|:)/g,
  ja: /(?<!ターンを|し)終え|行き詰ま|自己申告|途切れ|途中の誰|保管|ターミナル|ご覧|わかりません|着地|任務|望み|だれ|リレー|求め(?=[はがをのに方])|：|です \(|推測で文|入力による|先の答え|害になりうる|人間|[一二三四五六七八九百](?:つ|体|台|通|回|人|行|件|割|倍|万|画面)|約十分/g,
};

it.each(["en", "ja"] as const)(
  "what a person reads in %s has no word and no phrase that reads like a translation",
  (language) => {
    const [guides, readme] =
      language === "en" ? ["docs/guides", "README.md"] : ["docs/guides/ja", "README.ja.md"];
    const pages = GUIDES.map((name) => read(join(guides, name)));
    const texts = [...textsIn(`src/i18n/${language}`), ...pages, read(readme)];
    expect(texts.flatMap((text) => text.match(NOT_SAID[language]) ?? [])).toEqual([]);
  },
);

it("a person meets at most twelve words of ours, each explained once, and docs/ has at most 20,000 words", () => {
  const explained = ["docs/guides", "docs/guides/ja"].map(
    (folder) => read(join(folder, "glossary.md")).match(/\*\*.+?\*\*/g) ?? [],
  );
  for (const words of explained) {
    expect(words.length).toBeLessThanOrEqual(12);
    expect(new Set(words).size).toBe(words.length);
  }
  const { stdout } = spawnSync("node", ["scripts/size.mjs"], { cwd: root, encoding: "utf8" });
  expect(Number(/words in docs\/ +(\d+)/.exec(stdout)?.[1])).toBeLessThanOrEqual(20_000);
});

/** Without comments, which are for readers of the source. */
function textsIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|md)$/.test(name))
    .map((name) => read(join(folder, name)).replaceAll(/\/\*\*[^]*?\*\//g, ""));
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

it("the guides have the same commands and settings in both languages", () => {
  expect(readdirSync(join(root, "docs/guides/ja"))).toEqual(GUIDES);
  for (const name of GUIDES) {
    const [english, japanese] = ["docs/guides", "docs/guides/ja"].map((folder) =>
      ["sh", "toml", "json"].flatMap((language) =>
        blocks(readFileSync(join(root, folder, name), "utf8"), language).map((block) =>
          block.replaceAll(/ *#.*|"[^"\n]* [^"\n]*"|"[^\x20-\x7E]+"/g, ""),
        ),
      ),
    );
    expect(japanese).toEqual(english);
  }
});

it.each(
  [
    ...READMES,
    ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).map((name) => `docs/${name}`),
  ].filter((name) => name.endsWith(".md")),
)("%s links only to files that exist", (name) => {
  const links = [...readFileSync(join(root, name), "utf8").matchAll(/\]\(([^)#]+)[^)]*\)/g)]
    .map(([, path = ""]) => path)
    .filter((path) => !path.startsWith("https:"));
  expect(links.filter((path) => !existsSync(join(root, dirname(name), path)))).toEqual([]);
});

it("docs/relay.md shows an MCP configuration that starts the relay, and the tools that it has", async () => {
  await using sandbox = makeSandbox();
  const text = readFileSync(join(root, "docs/relay.md"), "utf8");
  const [config = "{}"] = blocks(text, "json");
  const { command, args, env } = JSON.parse(config).mcpServers["ovld-relay"];
  expect(command).toBe(Object.keys(manifest.bin)[0]);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [OVLD, ...args],
    env: { ...sandbox.env, ...env, OVLD_RELAY_DIR: sandbox.relayDir },
  });
  const client = new Client({ name: "test", version: "0" });
  await client.connect(transport);
  sandbox.defer(() => client.close());
  const tools = (await client.listTools()).tools.map((tool) => tool.name);
  expect(tools).toEqual([...text.matchAll(/^\| `(\w+)` +\|/gm)].map(([, tool]) => tool));
});

it("both READMEs have the same sections and tables, and the same versions and paths in them", () => {
  const [english, japanese] = READMES.map((name) => readFileSync(join(root, name), "utf8"));
  expect(shapeOf(japanese)).toEqual(shapeOf(english));
  expect(english).toContain(manifest.engines.node.replace(">=", ""));
  expect(english).toContain(OLDEST_ZELLIJ);
});

it("the changelog begins with what is not released yet", () => {
  expect(readFileSync(join(root, "CHANGELOG.md"), "utf8")).toMatch(/^# Changelog\n\n## Unreleased\n/);
});

function blocks(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs"))].map(
    ([, block = ""]) => block,
  );
}

function shapeOf(text = "") {
  return {
    sections: text.match(/^## /gm)?.length,
    rows: text.split(/^## /m).map((section) => section.match(/^\|/gm)?.length ?? 0),
    paths: [...new Set(text.match(/`~[^`]+`/g))].toSorted(),
    versions: [...new Set(text.match(/\d+\.\d+\.\d+/g))].toSorted(),
  };
}
