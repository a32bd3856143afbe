/** Which operation a method stands for. */
import { ApiError, invalidRequest } from "../api/errors.ts";
import type { OperationName } from "../api/path.ts";

const methods: Readonly<Record<string, OperationName>> = {
  GET: "read",
  HEAD: "head",
  LIST: "list",
  SCAN: "scan",
  POST: "write",
  PUT: "write",
  PATCH: "patch",
  DELETE: "delete",
};

export function operationOf(method: string, { list, scan }: { list: boolean; scan: boolean }): OperationName {
  const operation = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (method === "OPTIONS") throw invalidRequest("cannot handle internal-only request operation");
  if (!operation) throw new ApiError(405, []);
  if (operation !== "read" || (!list && !scan)) return operation;
  if (list && scan) throw invalidRequest("a request can list or scan, not both");
  return list ? "list" : "scan";
}

export const isWrite = (operation: OperationName): boolean => operation === "write" || operation === "patch";
