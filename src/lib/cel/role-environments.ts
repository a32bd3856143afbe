/** The surroundings of the programs that roles are written in: variables, messages and libraries. */
import { Environment, type EnvironmentOptions } from "./environment.ts";
import { bindingsLibrary } from "./library/bindings.ts";
import { emailLibrary } from "./library/email.ts";
import { encodersLibrary } from "./library/encoders.ts";
import { jsonLibrary } from "./library/json.ts";
import { listsLibrary } from "./library/lists.ts";
import { mathLibrary } from "./library/math.ts";
import { optionalsLibrary } from "./library/optionals.ts";
import { regexLibrary } from "./library/regex.ts";
import { setsLibrary } from "./library/sets.ts";
import { stringsLibrary } from "./library/strings.ts";
import { twoVariablesLibrary } from "./library/two-variables.ts";
import { authMessages } from "./messages/auth.ts";
import { certificateEnums, certificateMessages } from "./messages/certificate.ts";
import * as types from "./types.ts";

const common: EnvironmentOptions = {
  libraries: [
    bindingsLibrary,
    emailLibrary,
    encodersLibrary,
    jsonLibrary,
    listsLibrary,
    mathLibrary,
    optionalsLibrary,
    regexLibrary,
    setsLibrary,
    stringsLibrary,
    twoVariablesLibrary,
  ],
  looseTernary: true,
  optionalSyntax: true,
};

const record = types.map(types.string, types.dyn);

/** Programs of JWT roles: claims in, `pb.Auth` out. */
export const jwtEnvironment = new Environment({
  ...common,
  messages: authMessages,
  variables: { claims: record, now: types.timestamp, operation: types.string },
});

/** Programs of PKI roles: a request in, `ValidationOutput` out. */
export const pkiEnvironment = new Environment({
  ...common,
  container: "openbao.pki",
  messages: certificateMessages,
  enums: certificateEnums,
  variables: {
    request: record,
    now: types.timestamp,
    use_csr: types.bool,
    parsed_csr: record,
    client_token: types.dyn,
    entity_id: types.string,
    entity_groups: types.list(types.dyn),
    entity_info: record,
  },
});
