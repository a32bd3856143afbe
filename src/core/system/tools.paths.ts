/** `sys/tools`: random bytes and hashes, for clients that have no good source of their own. */
import { readInteger } from "../../api/coerce.ts";
import type { Random } from "../../api/engine.ts";
import { invalidRequest } from "../../api/errors.ts";
import { choice, integer, sensitive, text } from "../../api/fields.ts";
import { pathsFor } from "../../api/path.ts";
import { algorithms, type Format, formats, hashText, randomText, type Source, sources } from "./tools.ts";

export interface ToolsServices {
  readonly random: Random;
}

const path = pathsFor<ToolsServices>();

const bytes = integer("How many bytes, up to 131072");
const source = choice(
  sources,
  "Where they come from; the seal has none to give, so each of the three is the platform's own source",
);
const randomFormat = choice(formats, "How the bytes are written").default("base64");
const randomOutput = { random_bytes: sensitive(text("The bytes, in the format that was asked for")) };
const getRandom = "Get random bytes";

const random = path({
  pattern: "tools/random",
  summary: getRandom,
  write: {
    summary: getRandom,
    input: { bytes: bytes.default(32), source: source.default("platform"), format: randomFormat },
    output: randomOutput,
    handler: async (asked, { services, warn }) => draw(services, asked, warn),
  },
  examples: [{ operation: "write", request: { bytes: 16, format: "hex" } }],
});

const randomFrom = path({
  pattern: "tools/random/:source",
  summary: getRandom,
  params: { source: text("Where the bytes come from, or how many of them") },
  write: {
    summary: getRandom,
    input: { bytes: bytes.default(32), format: randomFormat },
    output: randomOutput,
    async handler({ source, bytes, format }, { services, warn }) {
      if (isSource(source)) return draw(services, { source, bytes, format }, warn);
      const count = readInteger(source);
      if (typeof count !== "number")
        throw invalidRequest(`the path must go on with a number of bytes or a source: ${sources.join(", ")}`);
      return draw(services, { source: "platform", bytes: count, format }, warn);
    },
  },
});

const randomFromCounted = path({
  pattern: "tools/random/:source/:bytes",
  summary: getRandom,
  params: { source, bytes },
  write: {
    summary: getRandom,
    input: { format: randomFormat },
    output: randomOutput,
    handler: async (asked, { services, warn }) => draw(services, asked, warn),
  },
});

const algorithm = choice(algorithms, "How to hash");
const hashFormat = choice(formats, "How the hash is written").default("hex");
const hashInput = { input: sensitive(text("What to hash, in base64")), format: hashFormat };
const hashOutput = { sum: text("The hash, in the format that was asked for") };

const hash = path({
  pattern: "tools/hash",
  summary: "Hash data",
  write: {
    summary: "Hash data",
    input: { ...hashInput, algorithm: algorithm.default("sha2-256") },
    output: hashOutput,
    handler: async ({ algorithm, input, format }) => ({ sum: hashText(algorithm, input, format) }),
  },
  examples: [{ operation: "write", request: { input: "aGVsbG8=" } }],
});

const hashWith = path({
  pattern: "tools/hash/:algorithm",
  summary: "Hash data with the algorithm that the path names",
  params: { algorithm },
  write: {
    summary: "Hash data with the algorithm that the path names",
    input: hashInput,
    output: hashOutput,
    handler: async ({ algorithm, input, format }) => ({ sum: hashText(algorithm, input, format) }),
  },
});

export const toolsPaths = [random, randomFrom, randomFromCounted, hash, hashWith];

const isSource = (word: string): word is Source => (sources as readonly string[]).includes(word);

function draw(
  { random }: ToolsServices,
  { source, bytes, format }: { source: Source; bytes: number; format: Format },
  warn: (message: string) => void,
) {
  if (source === "seal") warn("the seal gives no random bytes: they come from the platform's source");
  return { random_bytes: randomText(random, bytes, format) };
}
