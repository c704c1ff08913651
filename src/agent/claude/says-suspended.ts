/**
 * Whether Claude Code has left its screen because of Ctrl-Z.
 *
 * It means to be stopped, but the system does not stop a program that no shell looks after, as in a pane: it runs on
 * without its screen and without hearing a key, until it gets the signal to go on.
 */
export function saysSuspended(screen: readonly string[]): boolean {
  // A narrow pane breaks the line anywhere.
  return screen.join("").replaceAll(/\s/g, "").includes("hasbeensuspended.Run`fg`");
}
