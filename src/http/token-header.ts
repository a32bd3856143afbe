/** Finds the client token of a request, and refuses one that could be read in two ways. */
import { invalidRequest } from "../api/errors.ts";

interface Headers {
  headerValues(name: string): readonly string[];
}

const scheme = "Bearer ";

export function tokenOf(headers: Headers): string | undefined {
  const own = single(headers, "x-service-token");
  const peers = single(headers, "x-vault-token");
  if (own && peers && own !== peers) throw invalidRequest("two headers name two different tokens");
  const token = own || peers;
  return token ? token : bearerToken(headers);
}

function bearerToken(headers: Headers): string | undefined {
  const authorization = single(headers, "authorization");
  if (!authorization?.startsWith(scheme)) return undefined;
  const token = authorization.slice(scheme.length).trim();
  return token === "" ? undefined : token;
}

/** The service's own name first, then the name that the peers' clients send. */
export function serviceHeader(headers: Headers, suffix: string): string | undefined {
  return single(headers, `x-service-${suffix}`) ?? single(headers, `x-vault-${suffix}`);
}

/** Two different values: a proxy in front may have checked the other one. */
function single(headers: Headers, name: string): string | undefined {
  const values = headers.headerValues(name);
  const [first] = values;
  if (values.length > 1 && values.some((value) => value !== first)) {
    throw invalidRequest(`the header ${name} was sent more than once with different values`);
  }
  return first;
}
