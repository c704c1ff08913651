// Writes what the published files say of the project from package.json, whose `repository` alone names the owner: its
// own author, homepage, bugs and mcpName, the entry for the MCP registry, and the plugin for Claude Code with its
// marketplace. With --check it only says whether they are up to date.
import { readGenerated, writeGenerated } from "./write-generated.mjs";

const manifest = JSON.parse(readGenerated("package.json"));
const { name, version, description, license, keywords } = manifest;
const [, page, owner] = /^git\+(https:\/\/github\.com\/([^/]+)\/[^/]+)\.git$/.exec(manifest.repository.url);
const mcpName = `io.github.${owner}/${name}`;
const author = { name: `the ${name} maintainers`, url: page };

const files = {
  "package.json": { ...manifest, author, homepage: `${page}#readme`, bugs: `${page}/issues`, mcpName },
  "server.json": {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: mcpName,
    title: name,
    description,
    repository: { url: page, source: "github" },
    version,
    packages: [
      {
        registryType: "npm",
        identifier: name,
        version,
        transport: { type: "stdio" },
        packageArguments: [{ type: "positional", value: "relay" }],
        environmentVariables: [
          variable("OVLD_ROLE", "The role whose mail is served, such as strategist"),
          variable("OVLD_RELAY_DIR", "The folder with the army's mail"),
          variable("OVLD_SESSION", "The name of the army"),
        ],
      },
    ],
  },
  ".claude-plugin/marketplace.json": {
    name,
    description,
    owner: author,
    plugins: [{ name, source: "./plugin", description }],
  },
  "plugin/.claude-plugin/plugin.json": {
    name,
    version,
    description,
    author,
    homepage: page,
    repository: page,
    license,
    keywords,
  },
};

for (const [path, content] of Object.entries(files)) await writeGenerated(path, JSON.stringify(content));

function variable(variableName, what) {
  return { name: variableName, description: what, isRequired: true, format: "string" };
}
