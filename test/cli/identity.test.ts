/** People and groups with nothing but the command line, and why a request was refused. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { developmentServer, type ServerProcess } from "../support/server-process.ts";
import { Person } from "./person.ts";

let server: ServerProcess;
let person: Person;

beforeAll(async () => {
  server = await developmentServer();
  person = new Person({ STRONGROOM_ADDR: server.url, STRONGROOM_TOKEN: "root" });
});

afterAll(async () => {
  person?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

test("make people, tell what a method calls them, put them in a group, make one of two", async () => {
  expect(await person.succeed("identity entity list")).toBe("There are no entities.\n");
  await person.succeed("identity entity create -policy=reader -metadata=team=web ada");
  await person.succeed("identity entity create ada-old");
  await person.succeed("auth enable userpass");
  const mounts = JSON.parse(await person.succeed("auth list -format=json"));
  await person.succeed(`identity alias create -of=ada-old ada ${mounts["userpass/"].accessor}`);
  expect(await person.succeed("identity alias list")).toMatch(/^ada +auth\/userpass\/ +\S{36} +\S{36}$/m);

  await person.succeed("identity group create -policy=team -entity=ada web");
  expect(await person.succeed("identity group list")).toMatch(/^web +\S{36} +1 +0 +n\/a$/m);

  expect(await person.succeed("identity entity merge ada ada-old")).toBe("Success! Merged 1 into: ada\n");
  expect(await person.succeed("identity entity list")).toMatch(/^ada +\S{36} +ada at auth\/userpass\/$/m);
  const shown = await person.succeed("identity entity read ada");
  expect(shown).toMatch(/^alias +ada at auth\/userpass\/ \(\S{36}\)$/m);
  expect(shown).toMatch(/^metadata\.team +web$/m);
  expect(shown).toMatch(/^policies +reader$/m);

  await person.succeed("write auth/userpass/users/ada password=correct-horse");
  const token = await person.succeed("login -method=userpass -token-only username=ada password=correct-horse");
  const policies = await person.succeed(`write -field=policies auth/token/lookup token=${token}`);
  expect(policies).toBe('["default"]');
  expect(await person.succeed(`write -field=identity_policies auth/token/lookup token=${token}`)).toBe(
    '["reader","team"]',
  );

  await person.succeed("identity entity update -disabled ada");
  const ada = new Person({ STRONGROOM_ADDR: server.url, STRONGROOM_TOKEN: token });
  expect((await ada.run("token lookup")).code).toBe(2);
  await person.succeed("identity group delete web");
  await person.succeed("identity entity delete ada");
  expect((await person.run("identity entity read ada")).complaints).toContain("No value found at");
  ada[Symbol.dispose]();
});

test("a refusal says which rule decided, and what rule it would take", async () => {
  await person.succeed("policy write reader -", 'path "secret/data/web/*" { capabilities = ["read"] }');
  const token = await person.succeed("token create -policy=reader -field=token");
  const reader = new Person({ STRONGROOM_ADDR: server.url, STRONGROOM_TOKEN: token });
  const { code, complaints } = await reader.run("kv put -mount=secret web/top a=b");
  expect(code).toBe(2);
  expect(complaints).toContain(
    [
      "Denied: update secret/data/web/top",
      'Reason:  the rule for "secret/data/web/*" does not grant update',
      'Rule:    path "secret/data/web/*" of the policy reader',
      "",
      "A rule that would allow it:",
      "",
      '    path "secret/data/web/top" { capabilities = ["update"] }',
    ].join("\n"),
  );
  const explained = await reader.run("policy explain secret/web/top");
  expect(explained.code).toBe(2);
  expect(explained.output).toContain("with data/ in it");
  expect((await reader.run("policy explain secret/data/web/top")).output).toBe(
    'Allowed: read secret/data/web/top\nRule:    path "secret/data/web/*" of the policy reader\n',
  );
  expect((await reader.run("policy explain -field=allowed secret/data/web/top")).output).toBe("true");
  reader[Symbol.dispose]();
});
