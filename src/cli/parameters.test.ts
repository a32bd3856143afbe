import { describe, expect, it } from "vitest";
import { requireArguments } from "./parameters.ts";

describe("requireArguments", () => {
  it.each([
    ["", 0, 0],
    ["PATH", 1, 1],
    ["[TOKEN]", 0, 1],
    ["[TOKEN] PATH", 1, 2],
    ["SOURCE DESTINATION", 2, 2],
    ["PATH DATA...", 2, 99],
    ["PATH [K=V...]", 1, 99],
    ["[TOKEN | K=V...]", 0, 99],
    ["[TOKEN | ACCESSOR | PATH]", 0, 1],
  ])("%j takes %i to %i", (parameters, least, most) => {
    for (const count of [0, 1, 2, 3, 99]) {
      const check = () =>
        requireArguments(
          parameters,
          Array.from({ length: count }, () => "x"),
        );
      if (count < least) expect(check).toThrow("not enough arguments");
      else if (count > most) expect(check).toThrow("too many arguments");
      else check();
    }
  });
});
