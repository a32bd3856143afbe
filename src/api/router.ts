/** Finds the declared path of a request: fixed segments before `:param`, and both before `:path*`. */
import { type CompiledOperation, compileOperations } from "./input.ts";
import type { OperationName, Path } from "./path.ts";

export interface Route<Services> {
  readonly path: Path<Services>;
  readonly pattern: string;
  readonly operations: { readonly [Name in OperationName]?: CompiledOperation<Services> };
  readonly paramNames: readonly string[];
}

export interface Match<Services> {
  readonly route: Route<Services>;
  readonly params: Readonly<Record<string, string>>;
}

interface Node<Services> {
  readonly fixed: Map<string, Node<Services>>;
  param: Node<Services> | undefined;
  route: Route<Services> | undefined;
  /** `:path*` with the fixed segments that follow it, longest first. */
  rest: { readonly suffix: readonly string[]; readonly route: Route<Services> }[];
}

const node = <Services>(): Node<Services> => ({ fixed: new Map(), param: undefined, route: undefined, rest: [] });

const noParams: Readonly<Record<string, string>> = Object.freeze(Object.create(null));

export class Router<Services> {
  readonly #root = node<Services>();

  constructor(paths: readonly Path<Services>[]) {
    for (const path of paths) {
      const operations = compileOperations(path);
      for (const pattern of path.patterns) this.#add(path, pattern, operations);
    }
  }

  match(url: string): Match<Services> | undefined {
    const parts = url.split("/");
    const captured: string[] = [];
    const route = find(this.#root, parts, 0, captured);
    if (!route) return undefined;
    const { paramNames } = route;
    if (paramNames.length === 0) return { route, params: noParams };
    const params: Record<string, string> = Object.create(null);
    for (let index = 0; index < paramNames.length; index++) params[paramNames[index]!] = captured[index] ?? "";
    return { route, params };
  }

  #add(path: Path<Services>, pattern: string, operations: Route<Services>["operations"]): void {
    const segments = pattern.split("/");
    const paramNames = segments.filter(isParam).map((segment) => segment.slice(1).replace("*", ""));
    const route = { path, pattern, operations, paramNames };
    let at = this.#root;
    for (const [index, segment] of segments.entries()) {
      if (segment.startsWith(":") && segment.endsWith("*")) {
        at.rest.push({ suffix: segments.slice(index + 1), route });
        at.rest.sort((a, b) => b.suffix.length - a.suffix.length);
        return;
      }
      at = isParam(segment) ? paramChild(at) : child(at, segment);
    }
    if (at.route) throw new Error(`two declarations claim the path ${pattern}`);
    at.route = route;
  }
}

const isParam = (segment: string) => segment.startsWith(":");

function paramChild<Services>(parent: Node<Services>): Node<Services> {
  parent.param ??= node();
  return parent.param;
}

function child<Services>(parent: Node<Services>, segment: string): Node<Services> {
  const existing = parent.fixed.get(segment);
  if (existing) return existing;
  const made = node<Services>();
  parent.fixed.set(segment, made);
  return made;
}

function find<Services>(
  at: Node<Services>,
  parts: readonly string[],
  index: number,
  captured: string[],
): Route<Services> | undefined {
  if (index === parts.length) return at.route;
  const part = parts[index] ?? "";
  const fixed = at.fixed.get(part);
  const found = fixed && find(fixed, parts, index + 1, captured);
  if (found) return found;
  const depth = captured.length;
  if (at.param && part !== "") {
    captured.push(part);
    const route = find(at.param, parts, index + 1, captured);
    if (route) return route;
    captured.length = depth;
  }
  return findRest(at, parts, index, captured);
}

function findRest<Services>(at: Node<Services>, parts: readonly string[], index: number, captured: string[]) {
  for (const { suffix, route } of at.rest) {
    const end = parts.length - suffix.length;
    if (end <= index || !suffix.every((segment, offset) => parts[end + offset] === segment)) continue;
    captured.push(parts.slice(index, end).join("/"));
    return route;
  }
  return undefined;
}
