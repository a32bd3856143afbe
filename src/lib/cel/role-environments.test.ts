import { describe, expect, it } from "vitest";
import type { Environment } from "./environment.ts";
import { Message } from "./message.ts";
import { jwtEnvironment as jwt, pkiEnvironment as pki } from "./role-environments.ts";
import { typeText } from "./types.ts";
import { type CelMap, Timestamp, type Value } from "./values.ts";

const now = new Timestamp(1_700_000_000_123_456_789n);
const claims = { sub: "ada", groups: ["admin", "dev"], exp: 1_700_000_060, nested: { a: [1, null] } };

const check = (environment: Environment, text: string): string =>
  typeText(environment.check(environment.parse(text)).type);

const evaluate = (
  text: string,
  environment = jwt,
  values: Record<string, Value> = { claims, now, operation: "update" },
) => environment.program(environment.parse(text)).evaluate(values);

const refusal = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return "accepted";
};

describe("errors before a program runs", () => {
  it.each([
    ["foo", "1:1: undeclared reference to 'foo' (in container '')\n | foo\n | ^"],
    ["len(claims)", "1:4: undeclared reference to 'len' (in container '')"],
    ["[1].exists_one(x)", "1:15: undeclared reference to 'exists_one' (in container '')"],
    ["1 + 'a'", "1:3: found no matching overload for '_+_' applied to '(int, string)'"],
    ["'a'.contains(1)", "1:13: found no matching overload for 'contains' applied to 'string.(int)'"],
    ["pb.Nope{}", "1:8: undeclared reference to 'pb.Nope' (in container '')"],
    ["pb.Auth{Policies: []}", "1:17: undefined field 'Policies'"],
    [
      "pb.Auth{policies: 'x'}",
      "1:17: expected type of field 'policies' is 'list(string)' but provided type is 'string'",
    ],
    ["pb.Auth{token_type: 1}", "1:19: expected type of field 'token_type' is 'uint' but provided type is 'int'"],
    [
      "pb.Auth{display_name: null}",
      "1:21: expected type of field 'display_name' is 'string' but provided type is 'null'",
    ],
    ["'x'.format([1])", "1:11: too many arguments supplied to string.format (expected 0, got 1)"],
    ["1 == 1.0", "1:3: found no matching overload for '_==_' applied to '(int, double)'"],
    ["1u == 1", "1:4: found no matching overload for '_==_' applied to '(uint, int)'"],
    ["[1] == [1.0]", "1:5: found no matching overload for '_==_' applied to '(list(int), list(double))'"],
    ["duration(3600)", "1:9: found no matching overload for 'duration' applied to '(int)'"],
    ["foo + bar", "1:1: undeclared reference to 'foo' (in container '')\n | foo + bar\n | ^\nERROR: <input>:1:7: "],
  ])("%s", (text, expected) => {
    expect(refusal(() => check(jwt, text))).toContain(`ERROR: <input>:${expected}`);
  });

  it("name the container", () => {
    expect(refusal(() => check(pki, "foo"))).toContain("undeclared reference to 'foo' (in container 'openbao.pki')");
  });
});

describe("what type-checks", () => {
  it.each([
    ["true ? 1 : 'a'", "dyn"],
    ["claims.sub", "dyn"],
    ["1 == 1", "bool"],
    ["pb.Auth{alias: null}", "pb.Auth"],
    ["pb.Auth{?display_name: claims.?x}", "pb.Auth"],
    ["pb.Auth{token_type: 1u, lease_options: pb.LeaseOptions{TTL: 3600000000000, issue_time: now}}", "pb.Auth"],
    ["{'a': 1}.transformMap(k, v, v + 1)", "map(string, int)"],
    ["cel.bind(x, claims.sub, x + x)", "dyn"],
  ])("%s is %s", (text, type) => {
    expect(check(jwt, text)).toBe(type);
  });

  it.each([
    ["CertTemplate{KeyUsage: 96, ExtKeyUsage: [1, 2]}", "openbao.pki.CertTemplate"],
    [
      "ValidationOutput{template: CertTemplate{Subject: PKIX.Name{CommonName: request.cn}}, key_bits: 2048u}",
      "openbao.pki.ValidationOutput",
    ],
    [
      "CertTemplate{IPAddresses: [net.IP{IP: b'\\x7f\\x00\\x00\\x01'}], URIs: [url.URL{Scheme: 'https'}]}",
      "openbao.pki.CertTemplate",
    ],
    ["openbao.pki.ObjectIdentifier{arc: [1u, 2u]}", "openbao.pki.ObjectIdentifier"],
    ["KeyUsage.KeyUsageCertSign", "int"],
    ["client_token", "dyn"],
  ])("%s is %s", (text, type) => {
    expect(check(pki, text)).toBe(type);
  });
});

describe("errors while a program runs", () => {
  it.each([
    ["claims.missing", "no such key: missing"],
    ["foo", "no such attribute(s): foo"],
    ["1 + 'a'", "no such overload"],
    ["timestamp(1.5)", "no such overload: timestamp(double)"],
    ["len(claims)", "no such overload: len"],
    ["[1][5]", "index out of bounds: 5"],
    ["pb.Nope{}", "unknown type: pb.Nope"],
    ["pb.Auth{Policies: []}", "no such field: Policies"],
    ["pb.Auth{policies: 'x'}", "unsupported field type for pb.Auth.policies: string"],
    [
      "pb.Auth{num_uses: 1.5}",
      "field type conversion error for pb.Auth.num_uses value type: type conversion error from Double to 'int64'",
    ],
    [
      "pb.Auth{token_type: 1}",
      "field type conversion error for pb.Auth.token_type value type: unsupported type conversion from 'int' to uint32",
    ],
    ["1 / 0", "division by zero"],
    ["9223372036854775807 + 1", "integer overflow"],
    ["0u - 1u", "unsigned integer overflow"],
    ["timestamp('9999-12-31T23:59:59Z') + duration('1s')", "timestamp overflow"],
    ["int('x')", "type conversion error from 'string' to 'int'"],
    ["double('x')", "type conversion error from 'string' to 'double'"],
    ["duration('1d')", "type conversion error from 'string' to 'google.protobuf.Duration'"],
    ["duration('3600')", "type conversion error from 'string' to 'google.protobuf.Duration'"],
    ["timestamp('x')", "type conversion error from 'string' to 'google.protobuf.Timestamp'"],
    ["'a'.matches('(a')", "error parsing regexp: missing closing ): `(a`"],
    ["string(b'\\xff')", "invalid UTF-8 in bytes, cannot convert to string"],
    ["[1, 2, 3].slice(2, 9)", "cannot slice(2, 9), list is length 3"],
    ["optional.none().value()", "optional.none() dereference"],
    ["regex.extract('a', '(a)(b)')", 'regular expression has more than one capturing group: "(a)(b)"'],
    ["check_valid_email(1)", "no such overload: check_valid_email(int)"],
  ])("%s", (text, expected) => {
    expect(refusal(() => evaluate(text))).toBe(expected);
  });

  it("lists every name that was tried", () => {
    const message = "no such attribute(s): openbao.pki.client_token, openbao.client_token, client_token";
    expect(refusal(() => evaluate("client_token", pki, {}))).toBe(message);
  });

  it.each(["claims.missing == 'x' || true", "!(claims.missing == 'x' && false)", "[1, 0].exists(x, 1 / x > 0)"])(
    "are passed over where something else decides: %s",
    (text) => {
      expect(evaluate(text)).toBe(true);
    },
  );
});

describe("values", () => {
  it.each<[string, Value]>([
    ["1 == 1.0 && 1u == 1 && [1] == [1.0] && {1: 2}[1.0] == 2", true],
    ["string(duration('90m'))", "5400s"],
    ["string(1.0)", "1"],
    ["string(1000000.0)", "1e+06"],
    ["bool('TRUE') && bool('t')", true],
    ["'😀'.size()", 1n],
    ["timestamp('2024-07-01T12:00:00Z').getHours('America/New_York')", 8n],
    ["string(now)", "2023-11-14T22:13:20.123456789Z"],
    ["type(claims.exp) == double && int(claims.exp) > int(now)", true],
    ["lists.range(-1)", []],
    ["lists.range(3)", [0n, 1n, 2n]],
    ["[[1], [2, [3]]].flatten(2)", [1n, 2n, 3n]],
    ["['b', 'a'].sortBy(x, x)", ["a", "b"]],
    ["[1, 1.0, 2].distinct()", [1n, 2n]],
    ["[1, 2].first().orValue(0) + [1, 2].last().orValue(0)", 3n],
    ["optional.unwrap([optional.of(1), optional.none()])", [1n]],
    ["[optional.of(1), optional.none()].unwrapOpt()", [1n]],
    ["claims.?missing.orValue('none')", "none"],
    ["claims.?nested.?a[?0].optMap(x, x + 1.0).value()", 2],
    ["regex.replace('a1b2', '([a-z])([0-9])', '\\\\2\\\\1')", "1a2b"],
    [
      "regex.replace('aaa', 'a', 'b', 0) + regex.replace('aaa', 'a', 'b', 2) + regex.replace('aaa', 'a', 'b', -1)",
      "aaabbabbb",
    ],
    ["regex.extract('hello', 'l+').value()", "ll"],
    ["regex.extract('x', '(y?)x').hasValue()", false],
    ["regex.extractAll('a1b22', '[0-9]+')", ["1", "22"]],
    ["math.greatest(1, 2u, 3.5)", 3.5],
    ["math.least([3, 1, 2])", 1n],
    ["sets.contains([1, 2], [2]) && sets.intersects([1], [1.0]) && sets.equivalent([1, 1], [1])", true],
    ["string(base64.decode('aGk')) + base64.encode(b'hi')", "hiaGk="],
    ["check_valid_email('bob@x.org') && check_valid_email('Bob <bob@x.org>')", true],
    ["check_valid_email('bob') || check_valid_email('a@b, c@d') || check_valid_email('.a@b')", false],
    [
      "encode_json({'b': 2.0, 'a': '<&>', 'n': null, 'y': b'hi', 'd': duration('1s'), 'm': pb.Auth{}})",
      '{"a":"\\u003c\\u0026\\u003e","b":2,"d":1000000000,"m":{},"n":0,"y":"aGk="}',
    ],
    ["encode_json({'t': timestamp('2024-01-01T00:00:00Z')})", '{"t":"2024-01-01T00:00:00Z"}'],
    [
      "encode_json({'c': claims})",
      '{"c":{"exp":1700000060,"groups":["admin","dev"],"nested":{"a":[1,0]},"sub":"ada"}}',
    ],
    ["encode_json([1])", false],
    ["encode_json({1: 2})", false],
    ["encode_json({'a': {'b': 1}})", false],
    ["decode_json('{')", false],
    ["decode_json('{\"a\": 1}').a", 1],
    ["operation", "update"],
    ["{'a-b': 1}.`a-b`", 1n],
  ])("%s", (text, expected) => {
    expect(evaluate(text)).toEqual(expected);
  });

  it("makes messages of what is set", () => {
    const auth = evaluate(
      "pb.Auth{policies: claims.groups, alias: logical.Alias{name: claims.sub}, metadata: {'k': 'v'}, num_uses: 0, period: 5, ?display_name: claims.?x}",
    );
    expect(auth).toBeInstanceOf(Message);
    const { fields } = auth as Message;
    expect(fields.get("policies")).toEqual(["admin", "dev"]);
    expect((fields.get("alias") as Message).fields.get("name")).toBe("ada");
    expect((fields.get("metadata") as CelMap).get("k")).toBe("v");
    expect([...fields.keys()]).toEqual(["policies", "alias", "metadata", "period"]);
  });
});
