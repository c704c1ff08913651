/**
 * The only error type that is meant for people and models to read.
 *
 * It carries a code and facts. Any other error that a person sees is a bug in ovld.
 */

/**
 * The facts of each code. The folder that knows what can go wrong adds its codes, with a sentence each in every language.
 *
 * @public
 */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface ErrorFacts {}

/** A code together with its facts, so that a `switch` on the code knows which facts there are. */
export type ErrorReport = {
  [Code in keyof ErrorFacts]: { code: Code; facts: ErrorFacts[Code] };
}[keyof ErrorFacts];

const NAME = "OvldError";

export class OvldError extends Error {
  readonly report: ErrorReport;

  constructor(report: ErrorReport, cause?: unknown) {
    super(`${report.code} ${JSON.stringify(report.facts)}`, { cause });
    this.name = NAME;
    this.report = report;
  }

  /** Also of the copies of this file that are in other bundles. */
  static override [Symbol.hasInstance](error: unknown): boolean {
    return error instanceof Error && error.name === NAME;
  }
}
