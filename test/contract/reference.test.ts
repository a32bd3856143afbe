import { expect, test } from "vitest";
import { systemPaths } from "../../src/core/system/system-mount.ts";
import { tokenPaths } from "../../src/core/tokens/token-engine.ts";
import { type ReferenceSource, referencePage } from "../../src/derive/reference.ts";
import { identity } from "../../src/identity/engine.ts";
import { engines } from "../support/engines.ts";

/** The reference in docs/api is what the declarations say; `npx vitest run --project contract -u` writes it anew. */

const system = systemPaths({ unauthenticatedRekey: true, unauthenticatedGenerateRoot: true });
const sources: readonly (ReferenceSource & { file: string })[] = [
  { file: "system", title: "System", summary: "The server itself", mount: "sys/", paths: system },
  { file: "token", title: "Tokens", summary: "Client tokens", mount: "auth/token/", paths: tokenPaths },
  { file: "identity", title: "Identity", summary: identity.summary, mount: "identity/", paths: identity.paths },
  ...engines.map(({ type, kind, summary, paths }) => ({
    file: type,
    title: type,
    summary,
    mount: kind === "auth" ? `auth/${type}/` : `${type}/`,
    paths,
  })),
];

test.each(sources.map((source) => [source.file, source] as const))("docs/api/%s.md", async (file, source) => {
  await expect(referencePage(source)).toMatchFileSnapshot(`../../docs/api/${file}.md`);
});
