import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readProxyHeader } from "./proxy-header.ts";

const signature = "\r\n\r\n\0\r\nQUIT\n";

function version2({
  command = 0x21,
  family = 0x11,
  size = undefined as number | undefined,
  rest = [] as number[],
}): Buffer {
  const head = Buffer.from([command, family, (size ?? rest.length) >> 8, (size ?? rest.length) & 0xff]);
  return Buffer.concat([Buffer.from(signature, "latin1"), head, Buffer.from(rest)]);
}

const tcp4 = [203, 0, 113, 9, 10, 0, 0, 1, 0x12, 0x67, 0x20, 0x08];
const tcp6 = [
  ...[0x20, 0x01, 0x0d, 0xb8, ...new Array(11).fill(0), 7],
  ...[0xfd, ...new Array(14).fill(0), 1],
  ...tcp4.slice(8),
];
const ports = { remotePort: 4711, localPort: 8200 };

describe("a header", () => {
  it.each([
    [
      "of version 1 for IPv4",
      Buffer.from("PROXY TCP4 203.0.113.9 10.0.0.1 4711 8200\r\nGET"),
      { kind: "present", length: 43, endpoints: { remoteAddress: "203.0.113.9", localAddress: "10.0.0.1", ...ports } },
    ],
    [
      "of version 1 for IPv6",
      Buffer.from("PROXY TCP6 2001:db8::7 fd00::1 4711 8200\r\n"),
      { kind: "present", length: 42, endpoints: { remoteAddress: "2001:db8::7", localAddress: "fd00::1", ...ports } },
    ],
    [
      "of version 1 for something unknown",
      Buffer.from("PROXY UNKNOWN whatever this is\r\n"),
      { kind: "present", length: 32, endpoints: undefined },
    ],
    [
      "of version 2 for IPv4",
      version2({ rest: tcp4 }),
      { kind: "present", length: 28, endpoints: { remoteAddress: "203.0.113.9", localAddress: "10.0.0.1", ...ports } },
    ],
    [
      "of version 2 for IPv6",
      version2({ family: 0x21, rest: tcp6 }),
      { kind: "present", length: 52, endpoints: { remoteAddress: "2001:db8::7", localAddress: "fd00::1", ...ports } },
    ],
    [
      "of version 2 with more than the addresses",
      version2({ rest: [...tcp4, 4, 0, 1, 255] }),
      { kind: "present", length: 32, endpoints: { remoteAddress: "203.0.113.9", localAddress: "10.0.0.1", ...ports } },
    ],
    [
      "of version 2 for the balancer itself",
      version2({ command: 0x20, family: 0 }),
      { kind: "present", length: 16, endpoints: undefined },
    ],
    [
      "of version 2 for UDP",
      version2({ family: 0x12, rest: tcp4 }),
      { kind: "present", length: 28, endpoints: undefined },
    ],
    [
      "of version 2 for a local socket",
      version2({ family: 0x31, rest: new Array(216).fill(0) }),
      { kind: "present", length: 232, endpoints: undefined },
    ],
    ["that is not there before HTTP", Buffer.from("POST / HTTP/1.1\r\n"), { kind: "absent" }],
    ["that is not there before TLS", Buffer.from([0x16, 3, 1]), { kind: "absent" }],
    ["that is not there before empty lines", Buffer.from("\r\n\r\nGET"), { kind: "absent" }],
    ["that could be there", Buffer.from("P"), { kind: "incomplete" }],
    ["that could be there after nothing", Buffer.alloc(0), { kind: "incomplete" }],
  ])("%s", (_, bytes, expected) => {
    expect(readProxyHeader(bytes)).toEqual(expected);
  });

  it.each([
    ["without an end", `PROXY TCP4 ${"1".repeat(200)}`],
    ["that ends too late", `PROXY UNKNOWN ${"1".repeat(100)}\r\n`],
    ["with an unknown family", "PROXY UDP4 1.2.3.4 1.2.3.4 1 2\r\n"],
    ["with the wrong family", "PROXY TCP4 ::1 ::1 1 2\r\n"],
    ["with a name", "PROXY TCP4 localhost 1.2.3.4 1 2\r\n"],
    ["with a large port", "PROXY TCP4 1.2.3.4 1.2.3.4 65536 2\r\n"],
    ["with a port that is no number", "PROXY TCP4 1.2.3.4 1.2.3.4 1 0x2\r\n"],
    ["with too few words", "PROXY TCP4 1.2.3.4 1.2.3.4 1\r\n"],
    ["with too many words", "PROXY TCP4 1.2.3.4 1.2.3.4 1 2 3\r\n"],
    ["of version 3", version2({ command: 0x31, rest: tcp4 })],
    ["with an unknown command", version2({ command: 0x22, rest: tcp4 })],
    ["shorter than its addresses", version2({ rest: tcp4.slice(0, 11) })],
    ["that is too long", version2({ size: 5000 })],
  ])("%s is refused", (_, bytes) => {
    expect(() => readProxyHeader(Buffer.from(bytes as string, "latin1"))).toThrow("a PROXY header of version");
  });

  it("is incomplete at every cut, and then the same", () => {
    for (const whole of [Buffer.from("PROXY TCP4 203.0.113.9 10.0.0.1 4711 8200\r\n"), version2({ rest: tcp4 })]) {
      for (let cut = 0; cut < whole.length; cut++) {
        expect(readProxyHeader(whole.subarray(0, cut)), `cut at ${cut}`).toEqual({ kind: "incomplete" });
      }
      expect(readProxyHeader(whole)).toMatchObject({ kind: "present", length: whole.length });
    }
  });

  it("is never longer than the bytes that there are", () => {
    const start = fc.constantFrom("PROXY ", signature, `${signature}\x21\x11`, "");
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 150 }), (prefix, rest) => {
        const bytes = Buffer.concat([Buffer.from(prefix, "latin1"), rest]);
        try {
          const header = readProxyHeader(bytes);
          if (header.kind === "present") expect(header.length).toBeLessThanOrEqual(bytes.length);
        } catch (error) {
          expect((error as Error).message).toContain("a PROXY header");
        }
      }),
    );
  });
});
