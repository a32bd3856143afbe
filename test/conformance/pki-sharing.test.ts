/** Two servers on one store: what one revokes, the other lists. */
import { expect, it } from "vitest";
import { MemoryStore } from "../../src/core/storage/memory.ts";
import { TestAuthority } from "../../src/engines/pki/authority-fixture.suite.ts";
import { pki } from "../../src/engines/pki/engine.ts";
import { parsePem } from "../../src/lib/x509/pem.ts";
import { parseRevocationList } from "../../src/lib/x509/revocation-list.ts";
import { serialText } from "../../src/lib/x509/serial-number.ts";
import { KernelCaller } from "../support/kernel-caller.ts";

it("lists every certificate that two servers revoke at the same time", async () => {
  const store = new MemoryStore();
  const one = new TestAuthority(await new KernelCaller([pki], store).initialize());
  await one.server.call("write", "sys/mounts/pki", { type: "pki" });
  const second = new KernelCaller([pki], store);
  await second.call("write", "sys/unseal", { key: one.server.keys[0] }, "");
  second.rootToken = one.server.rootToken;
  const two = new TestAuthority(second);
  await one.write("root/generate/internal", { common_name: "Root", key_type: "ec" });
  await one.write("roles/web", { allow_any_name: true, key_type: "ec" });
  const issued = await Promise.all(
    Array.from({ length: 24 }, (_, index) => (index % 2 ? one : two).write("issue/web", { common_name: "a.b" })),
  );
  const serials: string[] = issued.map(({ serial_number }) => serial_number);
  expect(new Set(serials).size).toBe(24);
  await Promise.all(serials.map((serial_number, index) => (index % 2 ? one : two).write("revoke", { serial_number })));
  const { crl } = await two.read("issuer/default/crl");
  const listed = [...parseRevocationList(parsePem(crl)[0]!.der).entries()].map(({ serial }) => serialText(serial));
  expect(listed.sort()).toEqual(serials.sort());
});
