import { argon2Sync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { isCurrentHash, Passwords, requireImportable } from "./password.ts";

const passwords = new Passwords({ bytes: (count) => new Uint8Array(count).fill(7) });

test("is kept as argon2id, with salt and parameters beside it", async () => {
  const hash = await passwords.hash("hunter2");
  const salt = Buffer.alloc(16, 7);
  const digest = argon2Sync("argon2id", {
    message: "hunter2",
    nonce: salt,
    memory: 19_456,
    passes: 2,
    parallelism: 1,
    tagLength: 32,
  });
  const encoded = (bytes: Buffer) => bytes.toString("base64").replaceAll("=", "");
  expect(hash).toBe(`$argon2id$v=19$m=19456,t=2,p=1$${encoded(salt)}$${encoded(digest)}`);
  expect(isCurrentHash(hash)).toBe(true);
  expect(await passwords.matches("hunter2", hash)).toBe(true);
  expect(await passwords.matches("hunter3", hash)).toBe(false);
});

test("is checked with the parameters that it was made with", async () => {
  const digest = argon2Sync("argon2id", {
    message: "hunter2",
    nonce: Buffer.alloc(16, 1),
    memory: 64,
    passes: 3,
    parallelism: 2,
    tagLength: 32,
  });
  const encoded = (bytes: Buffer) => bytes.toString("base64").replaceAll("=", "");
  const older = `$argon2id$v=19$m=64,t=3,p=2$${encoded(Buffer.alloc(16, 1))}$${encoded(digest)}`;
  expect(isCurrentHash(older)).toBe(false);
  expect(await passwords.matches("hunter2", older)).toBe(true);
  expect(await passwords.matches("hunter3", older)).toBe(false);
});

test("nothing matches where nothing is stored", async () => {
  expect(await passwords.matches("", undefined)).toBe(false);
  expect(await passwords.matches("hunter2", undefined)).toBe(false);
});

test("a hash of unknown form is a fault, not a wrong password", async () => {
  await expect(passwords.matches("hunter2", "$sha1$abc")).rejects.toThrow("unknown form");
});

describe("may be brought along", () => {
  const bcrypt = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW";

  test("as bcrypt", async () => {
    expect(requireImportable(bcrypt)).toBe(bcrypt);
    expect(isCurrentHash(bcrypt)).toBe(false);
    expect(await passwords.matches("U*U", bcrypt)).toBe(true);
    expect(await passwords.matches("U*V", bcrypt)).toBe(false);
  });

  test.each(["hunter2", bcrypt.replace("$05", "$20"), "$argon2id$v=19$m=1,t=1,p=1$AAAA$AAAA"])(
    "but not as %s",
    (hash) => {
      expect(() => requireImportable(hash)).toThrow("'password_hash' is a bcrypt hash");
      expect(() => requireImportable(hash)).not.toThrow(hash);
    },
  );
});
