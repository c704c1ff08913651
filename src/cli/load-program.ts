/**
 * How one built file of ovld loads another, so that a command loads only what it needs. A name is that of a folder in
 * `commands/`, or of a file that `scripts/build.mjs` names; the caller knows what that file exports.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- a list of all programs would have to name each command once more
export type LoadProgram = <Program>(name: string) => Program;
