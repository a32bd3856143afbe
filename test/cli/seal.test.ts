/** From an empty store to a quorum's root token, with nothing but the command line. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { plainListener, ServerProcess } from "../support/server-process.ts";
import { canType, Person } from "./person.ts";

let server: ServerProcess;
let person: Person;

beforeAll(async () => {
  server = await ServerProcess.start({ config: { storage: { inmem: {} }, listener: plainListener } });
  person = new Person({ STRONGROOM_ADDR: server.url });
});

afterAll(async () => {
  person?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

const json = async (line: string) => JSON.parse(await person.succeed(line));

test("initialize, unseal, replace the shares, make a root token, seal", async () => {
  expect(await person.run("operator init -status")).toMatchObject({
    code: 2,
    output: "The server is not initialized\n",
  });
  expect((await person.run("status")).code).toBe(2);

  const keys = await json("operator init -key-shares=3 -key-threshold=2 -format=json");
  const [first, second] = keys.unseal_keys_b64 as string[];
  expect(keys.unseal_keys_b64).toHaveLength(3);
  expect((await person.run("operator init -status")).code).toBe(0);

  const sealed = await person.run("kv get secret/a");
  expect(sealed.code).toBe(2);
  expect(sealed.complaints).toContain("The server is sealed. Unseal it with: strongroom operator unseal\n");

  expect(await person.succeed(["operator", "unseal", first!])).toMatch(/^Unseal Progress +1\/2$/m);
  expect(await person.succeed("operator unseal -reset")).not.toContain("Unseal Progress");
  await person.succeed(["operator", "unseal", first!]);
  expect(await person.succeed("operator unseal -", `${second}\n`)).toMatch(/^Sealed +false$/m);
  expect((await person.run("status")).code).toBe(0);

  await person.succeed("login -", keys.root_token);
  expect(await person.succeed("operator rotate")).toMatch(/^Key Term +2$/m);

  await person.succeed("operator rotate-keys -init -key-shares=2 -key-threshold=2 -verify");
  expect(await person.succeed(["operator", "rotate-keys", first!])).toMatch(/^Progress +1\/2$/m);
  const renewed = await json(`operator rotate-keys -format=json ${second}`);
  const [third, fourth] = renewed.keys_base64 as string[];
  await person.succeed(["operator", "rotate-keys", "-verify", third!]);
  expect(await person.succeed(["operator", "rotate-keys", "-verify", fourth!])).toContain("in force");

  const otp = (await person.succeed("operator generate-root -generate-otp")).trim();
  await person.succeed(`operator generate-root -init -otp=${otp}`);
  await person.succeed(["operator", "generate-root", third!]);
  const made = await json(`operator generate-root -format=json ${fourth}`);
  const root = (await person.succeed(`operator generate-root -decode=${made.encoded_token} -otp=${otp}`)).trim();
  expect(await person.succeed("login -field=policies -", root)).toBe('["root"]');

  await person.succeed("operator seal");
  expect((await person.run("status")).code).toBe(2);
  const worthless = await person.run(["operator", "unseal", first!]);
  expect(worthless.complaints).not.toContain(first!);
});

test("keys that are printed for people can be typed without being shown", async ({ skip }) => {
  skip(!canType, "there is no script command that makes a terminal");
  await using fresh = await ServerProcess.start({ config: { storage: { inmem: {} }, listener: plainListener } });
  const output = await person.succeed(`operator init -address=${fresh.url} -key-shares=1 -key-threshold=1`);
  const key = /^Unseal Key 1: (\S+)$/m.exec(output)?.[1];
  expect(output).toMatch(/^Initial Root Token: s\.\w+$/m);
  const shown = await person.type(`operator unseal -address=${fresh.url}`, "(will be hidden): ", `${key}\r`);
  expect(shown.screen).toMatch(/^Sealed +false\r$/m);
  expect(shown).toMatchObject({ code: 0 });
  expect(shown.screen).not.toContain(key);
});
