/** The house rules bite: each forbidden thing, planted in a copy of the folders, turns the linter red. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const store = { "src/core/store.ts": "export async function save(): Promise<void> {}\n" };

interface Planted {
  readonly what: string;
  readonly files: Readonly<Record<string, string>>;
  readonly rule: string;
}

const importing = (from: string, extra = "") => `import { save } from "${from}";\n${extra}export const used = save;\n`;

const planted: Planted[] = [
  {
    what: "lib importing the API language",
    files: { "src/api/save.ts": store["src/core/store.ts"], "src/lib/bad.ts": importing("../api/save.ts") },
    rule: "lint/style/noRestrictedImports",
  },
  {
    what: "the API language importing the core",
    files: { ...store, "src/api/bad.ts": importing("../core/store.ts") },
    rule: "lint/style/noRestrictedImports",
  },
  {
    what: "an engine importing the core",
    files: { ...store, "src/engines/kv/bad.ts": importing("../../core/store.ts") },
    rule: "lint/style/noRestrictedImports",
  },
  {
    what: "the core importing an engine",
    files: {
      "src/engines/kv/save.ts": store["src/core/store.ts"],
      "src/core/bad.ts": importing("../engines/kv/save.ts"),
    },
    rule: "lint/style/noRestrictedImports",
  },
  {
    what: "the HTTP server importing an engine",
    files: {
      "src/engines/kv/save.ts": store["src/core/store.ts"],
      "src/http/bad.ts": importing("../engines/kv/save.ts"),
    },
    rule: "lint/style/noRestrictedImports",
  },
  {
    what: "an engine importing another",
    files: {
      "src/engines/kv/save.ts": store["src/core/store.ts"],
      "src/engines/pki/bad.ts": importing("../kv/save.ts"),
    },
    rule: "plugin",
  },
  {
    what: "a part of an engine importing another engine",
    files: {
      "src/engines/kv/save.ts": store["src/core/store.ts"],
      "src/engines/pki/acme/bad.ts": importing("../../kv/save.ts"),
    },
    rule: "plugin",
  },
  {
    what: "a floating promise",
    files: {
      ...store,
      "src/core/bad.ts": 'import { save } from "./store.ts";\n\nexport function forget(): void {\n  save();\n}\n',
    },
    rule: "lint/nursery/noFloatingPromises",
  },
  {
    what: "an import cycle",
    files: {
      "src/core/hen.ts": 'import { egg } from "./bad.ts";\n\nexport const hen = (): number => egg();\n',
      "src/core/bad.ts": 'import { hen } from "./hen.ts";\n\nexport const egg = (): number => hen();\n',
    },
    rule: "lint/suspicious/noImportCycles",
  },
  ...["Date.now()", "Math.random()", "performance.now()", "new Date()", 'fetch("http://localhost")'].map((use) => ({
    what: `the core calling ${use}`,
    files: { "src/core/bad.ts": `export const ambient = (): unknown => ${use};\n` },
    rule: "plugin",
  })),
];

const harmless: Record<string, string> = {
  ...store,
  "src/api/save.ts": store["src/core/store.ts"],
  "src/http/fine.ts": importing("../core/store.ts", "\n"),
  "src/engines/pki/issuer.ts": importing("../../api/save.ts", "\n"),
  "src/engines/pki/acme/order.ts": 'import { used } from "../issuer.ts";\n\nexport const order = used;\n',
  "src/core/clock.ts": "export const dateOf = (time: number): Date => new Date(time);\n",
  "src/lib/clock.ts": "export const now = (): number => Date.now();\n",
};

interface Diagnostic {
  readonly category: string;
  readonly location: { readonly path: string };
}

describe("npm run ok", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "strongroom-ok-"));
    await cp(join(root, "biome.json"), join(folder, "biome.json"));
    await cp(join(root, "scripts/lint"), join(folder, "scripts/lint"), { recursive: true });
    await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  });

  afterEach(() => rm(folder, { recursive: true }));

  async function plant(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
  }

  function lint(): Promise<{ code: number; found: string[] }> {
    const biome = join(root, "node_modules/.bin/biome");
    return new Promise((resolve, reject) => {
      execFile(biome, ["lint", "--error-on-warnings", "--reporter=json", "src"], { cwd: folder }, (error, stdout) => {
        if (error !== null && typeof error.code !== "number") return reject(error);
        const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] };
        resolve({
          code: Number(error?.code ?? 0),
          found: diagnostics.map(({ category, location }) => `${category} ${location.path}`),
        });
      });
    });
  }

  test("lets code pass that keeps the rules", async () => {
    await plant(harmless);
    expect(await lint()).toEqual({ code: 0, found: [] });
  });

  test.each(planted)("turns red on $what", async ({ files, rule }) => {
    await plant(files);
    const { code, found } = await lint();
    expect(code).not.toBe(0);
    const bad = Object.keys(files).find((name) => name.endsWith("bad.ts"));
    expect(found).toContain(`${rule} ${bad}`);
  });
});
