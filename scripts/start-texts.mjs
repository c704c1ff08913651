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
    zellij: "Zellij, the terminal program the army runs in",
    practice: "The practice campaign",
  },
  installing: "Installing the locked dependencies …",
  installFailed: "npm ci failed; its output above says why.",
  downloading: (version) => `Downloading Zellij ${version}; this machine needs it only once.`,
  downloadProgress: (megabytes, elapsed) => `Downloading Zellij: ${megabytes} MB, ${elapsed}`,
  downloaded: (version, elapsed) => `Downloaded Zellij ${version} in ${elapsed}; its checksum is correct.`,
  notDownloaded: (why) => `Zellij could not be downloaded: ${why}`,
  noRelease: (platform, arch) => `there is no release for ${platform} on ${arch}.`,
  noCurl: "curl, which downloads it, is not installed.",
  archiveBroken: (words) => `its archive cannot be read. ${words}`,
  wrongSum: "what was downloaded is not the released program: its checksum is wrong.",
  doesNotRun: "the downloaded program does not run on this machine.",
  interrupted: "Interrupted.",
  building: (version) =>
    `Building Zellij ${version}; this machine needs it only once. It takes about eight minutes on two cores.`,
  progress: (done, total, elapsed) => `Building Zellij: ${done} of ${total} crates, ${elapsed}`,
  built: (version, elapsed) => `Built Zellij ${version} in ${elapsed}.`,
  buildFailed: (words) => `Zellij could not be built. The last output of cargo:\n${words}`,
  waiting: "Zellij is already being built by another process; waiting for it.",
  elapsed: (minutes, seconds) => (minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds} s`),
  waysToGetIt: (
    oldest,
  ) => `Zellij ${oldest} or newer is needed. It could not be downloaded, and cargo, which could build it, is not installed. Get it in one of these ways:
  Arch Linux:        pacman -S zellij
  Alpine Linux:      apk add zellij
  macOS, Homebrew:   brew install zellij
  any Linux, macOS:  download it from https://github.com/zellij-org/zellij/releases and put it on the PATH
  any Linux, macOS:  install Rust (rustup), then run this again, or cargo install --locked zellij`,
};

const JAPANESE = {
  steps: {
    packages: "ビルドに必要なパッケージ",
    build: "ovld のビルド",
    zellij: "軍勢が動く端末プログラム、Zellij",
    practice: "演習",
  },
  installing: "固定された依存パッケージをインストールしています…",
  installFailed: "npm ci に失敗しました。理由は上の出力にあります。",
  downloading: (version) => `Zellij ${version} をダウンロードします。一台につき一度だけです。`,
  downloadProgress: (megabytes, elapsed) => `Zellij をダウンロード中: ${megabytes} MB、${elapsed}`,
  downloaded: (version, elapsed) =>
    `Zellij ${version} を ${elapsed}でダウンロードしました。チェックサムも正しいです。`,
  notDownloaded: (why) => `Zellij をダウンロードできませんでした。${why}`,
  noRelease: (platform, arch) => `${platform}（${arch}）向けに公開されたプログラムはありません。`,
  noCurl: "ダウンロードに使う curl がありません。",
  archiveBroken: (words) => `アーカイブを読めません。${words}`,
  wrongSum: "ダウンロードしたものは公開されたプログラムではありません（チェックサムが違います）。",
  doesNotRun: "ダウンロードしたプログラムはこのマシンで動きません。",
  interrupted: "中断しました。",
  building: (version) => `Zellij ${version} をビルドします。一台につき一度だけ、2 コアで約八分かかります。`,
  progress: (done, total, elapsed) => `Zellij をビルド中: ${total} 個中 ${done} 個のクレート、${elapsed}`,
  built: (version, elapsed) => `Zellij ${version} を ${elapsed}でビルドしました。`,
  buildFailed: (words) => `Zellij をビルドできませんでした。cargo の最後の出力:\n${words}`,
  waiting: "別のプロセスが Zellij をビルド中です。終わるのを待っています。",
  elapsed: (minutes, seconds) => (minutes === 0 ? `${seconds} 秒` : `${minutes} 分 ${seconds} 秒`),
  waysToGetIt: (
    oldest,
  ) => `Zellij ${oldest} 以降が必要ですが、ダウンロードできず、ビルドするための cargo もありません。次のいずれかで入手してください。
  Arch Linux:       pacman -S zellij
  Alpine Linux:     apk add zellij
  macOS, Homebrew:  brew install zellij
  Linux, macOS:     https://github.com/zellij-org/zellij/releases のプログラムをダウンロードして PATH に置く
  Linux, macOS:     Rust（rustup）をインストールしてからもう一度実行する、または cargo install --locked zellij`,
};
