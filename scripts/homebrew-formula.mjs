// Prints the formula for Homebrew that installs a packed version from its release page. Usage: node
// scripts/homebrew-formula.mjs ARCHIVE
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";

const { name, version, description, license, bugs } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
);
const [, , archive = ""] = process.argv;
const page = bugs.replace(/\/issues$/, "");
const sum = createHash("sha256").update(readFileSync(archive)).digest("hex");

console.log(`class Ovld < Formula
  desc "${description.replace(/^An? /, "")}"
  homepage "${page}"
  url "${page}/releases/download/v${version}/${basename(archive)}"
  sha256 "${sum}"
  license "${license}"

  depends_on "node"
  depends_on "zellij"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
    man1.install_symlink libexec.glob("share/man/man1/*")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/${name} --version")
  end
end`);
