// Stands in for the MCP SDK's platform module in our bundle: the same two exports, without the validator, and
// with the global instead of `node:process`, whose import evaluates every getter of `process` (5 ms a start).
export const process = globalThis.process;

export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error("This server validates no JSON Schema of a client's.");
  }
}
