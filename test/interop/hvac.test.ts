/** What people do with hvac, the Python client: each area on a server of its own. */
import { execFile } from "node:child_process";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { ToolUnavailable } from "../../scripts/interop/cached-tool.ts";
import { type Hvac, installHvac } from "../../scripts/interop/hvac.ts";
import { ServerProcess } from "../support/server-process.ts";

const run = promisify(execFile);

/** The classes of `hvac_cases.py`. */
const areas = [
  "FromNothing",
  "UnversionedSecrets",
  "VersionedSecrets",
  "Mounts",
  "Policies",
  "Tokens",
  "Wrapping",
  "Keys",
  "Leases",
  "Namespaces",
  "SignedTokens",
  "Databases",
  "Pki",
  "Errors",
];

const config = {
  storage: { inmem: {} },
  listener: {
    tcp: {
      address: "127.0.0.1:0",
      tls_disable: true,
      disable_unauthed_rekey_endpoints: false,
      disable_unauthed_generate_root_endpoints: false,
    },
  },
};

let hvac: Hvac | undefined;
let unavailable = "";

beforeAll(async () => {
  try {
    hvac = await installHvac();
  } catch (error) {
    if (!(error instanceof ToolUnavailable)) throw error;
    unavailable = error.message;
  }
});

test.for(areas)("%s", async (area, { skip }) => {
  if (hvac === undefined) return skip(unavailable);
  await using server = await ServerProcess.start({ config });
  const env = {
    ...process.env,
    PYTHONPATH: [hvac.packages, import.meta.dirname].join(delimiter),
    PYTHONDONTWRITEBYTECODE: "1",
    STRONGROOM_URL: server.url,
  };
  const args = ["-W", "ignore", "-m", "unittest", `hvac_cases.${area}`];
  // The report of unittest is on its standard error.
  const { stderr } = await run("python3", args, { env, cwd: join(import.meta.dirname) }).catch((error) => error);
  expect(stderr).toMatch(/^Ran [1-9]\d* tests? in [\d.]+s\n\nOK( \(expected failures=\d+\))?\n$/m);
});
