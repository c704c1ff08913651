/**
 * How one built file of ovld gets at another, so that only what a command needs is loaded. A name is that of a folder in
 * `commands/`, or of a file that `scripts/build.mjs` names; whoever asks knows what that file exports.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- a list of all programs would have to name each command once more
export type LoadProgram = <Program>(name: string) => Program;
