import { expect, it } from "vitest";
import { flagHelp } from "./flag-help.ts";
import { choiceFlag, durationFlag, environmentNames, repeatedFlag, switchFlag, textFlag } from "./flags.ts";

it("describes flags in alphabetical order, without the hidden ones", () => {
  const declared = {
    "wrap-ttl": durationFlag("Wrap the answer, for so long", { default: 90 }),
    dev: switchFlag("Start in development mode. Nothing is kept."),
    address: textFlag("Where the server is: its scheme, its name or address, and the port that it listens on", {
      default: "https://127.0.0.1:8200",
      placeholder: "url",
      environment: environmentNames("ADDR"),
    }),
    config: repeatedFlag("File or folder to read"),
    format: choiceFlag(["table", "json"], "How to print", { default: "table" }),
    color: switchFlag("Print in color", { default: true }),
    "dev-latency": switchFlag("For tests", { hidden: true }),
  };
  expect(flagHelp(declared)).toBe(`  -address=<url>
      Where the server is: its scheme, its name or address, and the port that it
      listens on. The default is https://127.0.0.1:8200. Environment:
      STRONGROOM_ADDR, BAO_ADDR, VAULT_ADDR.

  -color
      Print in color. The default is true.

  -config=<string>
      File or folder to read.

  -dev
      Start in development mode. Nothing is kept.

  -format=<table|json>
      How to print. The default is table.

  -wrap-ttl=<duration>
      Wrap the answer, for so long. The default is 1m30s.
`);
});
