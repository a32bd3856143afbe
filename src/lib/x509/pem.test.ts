import fc from "fast-check";
import { expect, test } from "vitest";
import { parsePem, pemBlocksOf, pemText } from "./pem.ts";
import { X509Error } from "./x509-error.ts";

const block = pemText("CERTIFICATE", Buffer.from("hello"));

test("lines of 64 characters, without a newline at the end", () => {
  expect(pemText("X509 CRL", Buffer.alloc(60))).toBe(
    `-----BEGIN X509 CRL-----\n${"A".repeat(64)}\n${"A".repeat(16)}\n-----END X509 CRL-----`,
  );
});

test("what stands around and between blocks is passed over", () => {
  const text = `Subject: web\n${block}\r\nand then\n${pemText("EC PRIVATE KEY", Buffer.from("key"))}\nbye`;
  expect(parsePem(text).map(({ kind, der }) => [kind, Buffer.from(der).toString()])).toEqual([
    ["CERTIFICATE", "hello"],
    ["EC PRIVATE KEY", "key"],
  ]);
  expect(pemBlocksOf(text, "CERTIFICATE").map(String)).toHaveLength(1);
  expect(parsePem("nothing here")).toEqual([]);
});

test("line ends of any kind, and headers", () => {
  expect(parsePem(block.replaceAll("\n", "\r\n"))).toEqual(parsePem(block));
  const headed = "-----BEGIN X-----\nProc-Type: 4\nFoo: bar\n\naGVsbG8=\n-----END X-----";
  expect(Buffer.from(parsePem(headed)[0]!.der).toString()).toBe("hello");
});

test.each([
  ["no end", block.slice(0, -5), "has no last line"],
  ["another end", block.replace("END CERTIFICATE", "END KEY"), "has no last line"],
  ["no base64", block.replace("aGVs", "a*Vs"), "is not base64"],
  ["a character too few", block.replace("aGVs", "GVs"), "is not base64"],
  ["nothing inside", "-----BEGIN X-----\n-----END X-----", "is not base64"],
  ["no kind", "-----BEGIN -----\nAAAA\n-----END -----", "has no proper first line"],
  ["half a first line", "-----BEGIN CERTIFICATE\nAAAA", "has no proper first line"],
])("refuses a block with %s", (_, text, message) => {
  expect(() => parsePem(text)).toThrow(X509Error);
  expect(() => parsePem(text)).toThrow(message);
});

test("a list of one kind stops at a block without an end", () => {
  expect(pemBlocksOf(`${block}\n${block.slice(0, -5)}`, "CERTIFICATE")).toHaveLength(1);
});

test("blocks that only begin are not read again and again", () => {
  const text = `${"-----BEGIN X-----".repeat(100_000)}-----END X-----`;
  expect(() => pemBlocksOf(text, "X")).toThrow(X509Error);
  expect(() => parsePem(text)).toThrow(X509Error);
});

test("the way there and back, and no crash on any text", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), (der) => {
      expect(Buffer.compare(parsePem(pemText("X", der))[0]!.der, der)).toBe(0);
    }),
  );
  const pieces = fc.array(fc.constantFrom("-----BEGIN ", "-----END ", "X", "-----", "\n", "AAAA", ":", "="));
  fc.assert(
    fc.property(pieces, (list) => {
      try {
        parsePem(list.join(""));
      } catch (error) {
        expect(error).toBeInstanceOf(X509Error);
      }
    }),
  );
});
