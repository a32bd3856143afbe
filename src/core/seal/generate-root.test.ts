import { describe, expect, it } from "vitest";
import { decodeToken, encodeToken } from "./generate-root.ts";
import { newAutoUnsealed, newProcess, newUnsealed, rootToken, unsealWith } from "./seal-fixture.suite.ts";

describe.each([
  ["unseal", newUnsealed],
  ["recovery", newAutoUnsealed],
])("a root token made by holders of %s keys", (_, start) => {
  it("leaves encrypted with the one-time password", async () => {
    const { process, keys } = await start();
    const { generateRoot } = process;
    expect(await generateRoot.status()).toEqual({
      nonce: "",
      started: false,
      progress: 0,
      required: 2,
      complete: false,
      encoded_token: "",
      encoded_root_token: "",
      pgp_fingerprint: "",
      otp: "",
      otp_length: 26,
    });
    const { otp, nonce, ...started } = await generateRoot.start({});
    expect(otp).toMatch(/^[A-Za-z0-9]{26}$/);
    expect(started).toMatchObject({ started: true, progress: 0, required: 2, complete: false });
    expect((await generateRoot.status()).otp).toBe("");
    expect(await generateRoot.update({ key: keys[0], nonce })).toMatchObject({ progress: 1, complete: false });
    const { encoded_token, ...finished } = await generateRoot.update({ key: keys[2], nonce });
    expect(finished).toMatchObject({ progress: 2, complete: true, encoded_root_token: encoded_token });
    expect(encoded_token).not.toContain("=");
    expect(decodeToken({ encoded_token, otp })).toBe(rootToken);
    expect((await generateRoot.status()).started).toBe(false);
  });

  it("takes a one-time password, and does not repeat it", async () => {
    const { process, keys } = await start();
    const otp = "abcdefghijklmnopqrstuvwxyz";
    const { otp: shown, nonce } = await process.generateRoot.start({ otp });
    expect(shown).toBe("");
    await process.generateRoot.update({ key: keys[0], nonce });
    const { encoded_token } = await process.generateRoot.update({ key: keys[1], nonce });
    expect(decodeToken({ encoded_token, otp })).toBe(rootToken);
  });

  it("is as long as the one-time password that the caller brings", async () => {
    const { process, keys } = await start();
    const otp = "0123456789abcdefghijklmnopqr";
    const { nonce } = await process.generateRoot.start({ otp });
    await process.generateRoot.update({ key: keys[0], nonce });
    const { encoded_token } = await process.generateRoot.update({ key: keys[1], nonce });
    expect(decodeToken({ encoded_token, otp })).toBe(`${rootToken}xx`);
  });

  it("is not made from wrong shares; the count starts again", async () => {
    const { process, keys } = await start();
    const { keys: strange } = await start();
    const { nonce } = await process.generateRoot.start({});
    await process.generateRoot.update({ key: keys[0], nonce });
    await expect(process.generateRoot.update({ key: strange[1], nonce })).rejects.toThrow("root generation refused");
    expect(await process.generateRoot.status()).toMatchObject({ started: true, progress: 0 });
  });

  it("refuses wrong nonces, repeated shares and a second start", async () => {
    const { process, keys } = await start();
    const { generateRoot } = process;
    await expect(generateRoot.update({ key: keys[0], nonce: "" })).rejects.toThrow("no root generation in progress");
    const { nonce } = await generateRoot.start({});
    await expect(generateRoot.start({})).rejects.toThrow("root generation already in progress");
    await generateRoot.update({ key: keys[0], nonce });
    await expect(generateRoot.update({ key: keys[0], nonce })).rejects.toThrow("already been provided");
    await expect(generateRoot.update({ key: keys[1], nonce: "x" })).rejects.toThrow("incorrect nonce supplied");
    await expect(generateRoot.cancel("x")).rejects.toThrow("incorrect nonce supplied");
    await generateRoot.cancel();
    expect((await generateRoot.status()).started).toBe(false);
  });
});

describe("root generation", () => {
  it.each([
    [{ otp: "short" }, "OTP string is wrong length: it must have 26 bytes, or more up to 64, not 5"],

    [{ otp: "ä".repeat(33) }, "OTP string is wrong length: it must have 26 bytes, or more up to 64, not 66"],
    [{ pgp_key: "x" }, "pgp_key is not supported"],
  ])("does not start with %j", async (request, message) => {
    const { process } = await newUnsealed();
    await expect(process.generateRoot.start(request)).rejects.toThrow(message);
  });

  it("does not take shares that another process has replaced", async () => {
    const { store, process: one, keys } = await newUnsealed();
    const two = newProcess(store);
    await unsealWith(two, keys.slice(0, 2));
    const { nonce } = await two.generateRoot.start({});
    await two.generateRoot.update({ key: keys[0], nonce });
    const started = await one.rekey.root.start({ secret_shares: 3, secret_threshold: 2 }, true);
    for (const key of keys.slice(0, 2)) await one.rekey.root.update({ key, nonce: started.nonce });
    await expect(two.generateRoot.update({ key: keys[1], nonce })).rejects.toThrow("root generation refused");
  });
});

describe("decoding a token", () => {
  it("is the reverse of encoding it", () => {
    expect(encodeToken("AB", "  ")).toBe("YWI");
    const otp = "3JhHkONiyiaNYj14nnD9xZQSxy";
    expect(decodeToken({ encoded_token: encodeToken(rootToken, otp), otp })).toBe(rootToken);
  });

  it.each([
    [{ otp: "a" }, "missing encoded_token"],
    [{ encoded_token: "YQ" }, "missing otp"],
    [{ encoded_token: "!", otp: "a" }, "encoded_token must be base64"],
    [{ encoded_token: "YWI", otp: "a" }, "differ in length"],
  ])("refuses %j", (request, message) => {
    expect(() => decodeToken(request)).toThrow(message);
  });
});
