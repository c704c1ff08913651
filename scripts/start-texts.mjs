// What npm start prints between a fresh clone and a working army. The program's own sentences are in src/i18n, but
// the program is not built yet at this point.
const VARIABLES = ["OVLD_LANG", "LC_ALL", "LC_MESSAGES", "LANG"];

/** Chosen by `--lang` among the arguments, then by the first variable that is set, as in the program itself. */
export function startTexts(env, args) {
  const flag = args.join(" ").match(/(?:^| )--lang[ =](\w+)/)?.[1];
  const wish = flag ?? VARIABLES.map((name) => env[name]).find(Boolean) ?? "";
  return wish.toLowerCase().startsWith("ja") ? JAPANESE : ENGLISH;
}

const ENGLISH = {
  steps: {
    packages: "Packages for the build",
    build: "Building ovld",
    practice: "The practice campaign",
  },
  installing: "Installing the locked dependencies …",
  installFailed: "npm ci failed; its output above says why.",
};

const JAPANESE = {
  steps: {
    packages: "ビルドに必要なパッケージ",
    build: "ovld のビルド",
    practice: "演習",
  },
  installing: "固定された依存パッケージをインストールしています…",
  installFailed: "npm ci に失敗しました。理由は上の出力にあります。",
};
