import { beforeEach, expect, test } from "vitest";
import { engines } from "../support/engines.ts";
import { KernelCaller } from "../support/kernel-caller.ts";

let server: KernelCaller;
beforeEach(async () => {
  server = await new KernelCaller(engines).initialize();
});

const wrap = async (body: object, seconds = 60) =>
  (await server.wrapped("write", "sys/wrapping/wrap", body, seconds)).info;
const original = (answer: unknown) => JSON.parse((answer as { body: string }).body);

test("what was wrapped comes out once, with the envelope that it had", async () => {
  const info = await wrap({ secret: "x" });
  expect(info).toMatchObject({
    ttl: 60,
    creation_path: "sys/wrapping/wrap",
    creation_time: "2030-01-01T00:00:00.000Z",
  });
  const { data } = await server.call("write", "sys/wrapping/unwrap", { token: info.token });
  expect(original(data)).toMatchObject({ request_id: "request", data: { secret: "x" }, wrap_info: null });
  await expect(server.call("write", "sys/wrapping/unwrap", { token: info.token })).rejects.toThrow(
    "wrapping token is not valid or does not exist",
  );
});

test("the wrapping token unwraps itself, and can do nothing else", async () => {
  const { token } = await wrap({ secret: "x" });
  const { data } = await server.call("write", "sys/wrapping/unwrap", {}, token);
  expect(original(data).data).toEqual({ secret: "x" });
  const other = await wrap({ secret: "y" });
  await expect(server.call("read", "auth/token/lookup-self", {}, other.token)).rejects.toThrow("permission denied");
  await expect(server.call("write", "sys/wrapping/unwrap", {}, other.token)).rejects.toThrow(
    "wrapping token is not valid or does not exist",
  );
});

test("looking does not use it up, and needs no token of one's own", async () => {
  const { token } = await wrap({ secret: "x" }, 90);
  const { data } = await server.call("write", "sys/wrapping/lookup", { token }, "");
  expect(data).toEqual({
    creation_path: "sys/wrapping/wrap",
    creation_time: "2030-01-01T00:00:00.000Z",
    creation_ttl: 90,
  });
  expect((await server.call("read", "sys/wrapping/lookup", {}, token)).data.creation_ttl).toBe(90);
  await server.call("write", "sys/wrapping/unwrap", { token });
});

test("rewrapping gives a new token, and the old one is dead", async () => {
  const old = await wrap({ secret: "x" });
  const { data } = await server.call("write", "sys/wrapping/rewrap", { token: old.token });
  expect(data.info).toMatchObject({ ttl: 60, creation_path: "sys/wrapping/wrap" });
  await expect(server.call("write", "sys/wrapping/unwrap", { token: old.token })).rejects.toThrow("not valid");
  expect(original((await server.call("write", "sys/wrapping/unwrap", { token: data.info.token })).data).data).toEqual({
    secret: "x",
  });
});

test("a wrapped token can be revoked by its accessor", async () => {
  const { info } = await server.wrapped("write", "auth/token/create", { policies: ["root"] }, 60);
  expect(info.wrapped_accessor).toMatch(/^\w{24}$/);
  const { data } = await server.call("write", "sys/wrapping/unwrap", { token: info.token });
  expect(original(data).auth.accessor).toBe(info.wrapped_accessor);
});

test("time ends it, and wrapping without a lifetime is refused", async () => {
  const { token } = await wrap({ secret: "x" });
  server.passSeconds(61);
  await expect(server.call("write", "sys/wrapping/unwrap", { token })).rejects.toThrow("not valid");
  await expect(server.call("write", "sys/wrapping/wrap", { a: 1 })).rejects.toThrow(
    "endpoint requires response wrapping to be used",
  );
});

test("a policy can demand wrapping", async () => {
  await server.call("write", "sys/policies/acl/careful", {
    policy:
      'path "cubbyhole/*" { capabilities = ["read","create","update"] min_wrapping_ttl = "1m" max_wrapping_ttl = "10m" }',
  });
  const { auth } = await server.call("write", "auth/token/create", { policies: ["careful"], no_default_policy: true });
  const token = auth.client_token;
  await server.wrapped("write", "cubbyhole/a", { v: 1 }, 60, token).catch(() => undefined);
  await expect(server.call("read", "cubbyhole/a", {}, token)).rejects.toMatchObject({ status: 403 });
  await expect(server.wrapped("read", "cubbyhole/a", {}, 30, token)).rejects.toMatchObject({ status: 403 });
  expect((await server.wrapped("read", "cubbyhole/a", {}, 60, token)).info.ttl).toBe(60);
});

test("a list is filtered before it is wrapped", async () => {
  await server.call("write", "sys/mounts/kv", { type: "kv" });
  for (const name of ["mine", "yours"]) await server.call("write", `kv/${name}`, { a: 1 });
  const filter = 'list_scan_response_keys_filter_path = "{{ .path }}{{ .key }}"';
  const policy = `path "kv/" { capabilities = ["list"] ${filter} } path "kv/mine" { capabilities = ["read"] }`;
  await server.call("write", "sys/policies/acl/some", { policy });
  const { auth } = await server.call("write", "auth/token/create", { policies: ["some"] });
  const { info } = await server.wrapped("list", "kv/", {}, 60, auth.client_token);
  const { data } = await server.call("write", "sys/wrapping/unwrap", { token: info.token });
  expect(original(data).data).toEqual({ keys: ["mine"] });
});
