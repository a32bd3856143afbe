import { describe, expect, it } from "vitest";
import { configurationReference, exampleConfiguration } from "./reference.ts";
import { parseServerConfig } from "./server-config.ts";

describe("configurationReference", () => {
  it("is what docs/configuration.md says; `vitest -u` writes it anew", async () => {
    await expect(configurationReference()).toMatchFileSnapshot("../../docs/configuration.md");
  });

  it("begins with an example that works", () => {
    expect(parseServerConfig([{ file: "example.hcl", text: exampleConfiguration }]).warnings).toEqual([]);
  });

  it("has no row without a description, and no sentence that ends twice", () => {
    const rows = configurationReference().split("\n");
    expect(rows.filter((row) => /\|\s*\|$/.test(row))).toEqual([]);
    expect(rows.filter((row) => row.includes(".. ") || row.includes(". |"))).toEqual([]);
  });
});
