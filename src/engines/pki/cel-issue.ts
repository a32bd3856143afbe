/** Runs the program of a role over a request, and reads what it decided. */
import { invalidRequest } from "../../api/errors.ts";
import type { CallerIdentity, Context } from "../../api/path.ts";
import { EvaluationError, LimitError } from "../../lib/cel/errors.ts";
import { Message } from "../../lib/cel/message.ts";
import { kindOf as celKindOf, type PlainMap, Timestamp, type Value } from "../../lib/cel/values.ts";
import { isJsonObject, isRawNumber, type JsonObject } from "../../lib/json.ts";
import type { CertificateRequest } from "../../lib/x509/certificate-request.ts";
import { requestSummary } from "../../lib/x509/request-summary.ts";
import { Fields } from "./cel-message.ts";
import type { PkiServices } from "./services.ts";

/** What the program wants issued. Throws its refusal. */
export async function decide(
  name: string,
  context: Context<PkiServices>,
  csr: CertificateRequest | undefined,
): Promise<Fields> {
  const { services, body, now } = context;
  const program = await services.celRoles.program(name);
  if (!program) throw invalidRequest("CEL role not found");
  const identity = await context.identity();
  const values: PlainMap = {
    request: { ...(celValue(body) as PlainMap), role: name, name },
    now: Timestamp.fromDate(now),
    use_csr: csr !== undefined,
    ...(csr && { parsed_csr: requestSummary(csr) as PlainMap }),
    client_token: "",
    entity_id: context.caller?.entityId ?? "",
    entity_info: entityInfo(identity),
    entity_groups: (identity?.groups ?? []).map(({ id, name: group }) => ({ id, name: group })),
  };
  return readDecision(evaluated(() => program.evaluate(values)));
}

function evaluated(work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    if (error instanceof EvaluationError || error instanceof LimitError) {
      throw invalidRequest(`error evaluating mainProgram: ${error.message}`);
    }
    throw error;
  }
}

function readDecision(result: Value): Fields {
  if (typeof result === "string") throw invalidRequest(result);
  if (typeof result === "boolean") throw invalidRequest("request denied");
  if (!(result instanceof Message) || !result.type.name.endsWith(".ValidationOutput")) {
    const shown = result instanceof Message ? result.type.name : celKindOf(result);
    throw invalidRequest(`unexpected mainProgram result type ${shown}: expected ValidationOutput, or a text to refuse`);
  }
  const output = new Fields(result);
  if (!output.has("template")) throw invalidRequest("template is nil");
  return output;
}

const entityInfo = (identity: CallerIdentity | undefined): PlainMap =>
  identity
    ? {
        id: identity.id,
        name: identity.name,
        metadata: identity.metadata ?? {},
        aliases: identity.aliases.map(({ id, name, mount_accessor, metadata }) => ({
          id,
          name,
          mount_accessor,
          metadata: metadata ?? {},
        })),
      }
    : {};

/** Whole numbers are ints, others doubles. */
function celValue(value: unknown): Value {
  if (value === null || value === undefined) return null;
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : value;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (isRawNumber(value)) return rawNumber(value.rawJSON);
  if (Array.isArray(value)) return value.map(celValue);
  if (isJsonObject(value)) return celMap(value);
  return null;
}

function celMap(object: JsonObject): PlainMap {
  const map: Record<string, Value> = Object.create(null);
  for (const key of Object.keys(object)) map[key] = celValue(object[key]);
  return map;
}

function rawNumber(text: string): Value {
  if (!/^-?\d{1,19}$/.test(text)) return Number(text);
  const number = BigInt(text);
  return BigInt.asIntN(64, number) === number ? number : Number(text);
}
