import { expect, it } from "vitest";
import * as z from "zod/mini";
import { TOOLS } from "../../../src/relay/tools/mail-tools.ts";

it("M3 the schemas that models see are those that check the tools' arguments", async () => {
  const schemas = TOOLS.map(({ name, input }) => {
    // The dialect is the protocol's default; naming it in each schema would only cost tokens.
    const { $schema: _, ...schema } = z.toJSONSchema(input);
    return [name, schema];
  });
  const text = `${JSON.stringify(Object.fromEntries(schemas), undefined, 2)}\n`;
  await expect(text).toMatchFileSnapshot("../../../src/relay/tools/tool-schemas.json");
});
