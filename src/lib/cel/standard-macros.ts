/** The macros that every program has: `has` and the comprehensions of one variable. */
import type { Call } from "./ast.ts";
import { listFold, type Macro, MacroError, method, quantifier, variableName } from "./macro.ts";

const has: Macro = {
  name: "has",
  arity: 1,
  isMethod: false,
  expand({ parameters: [parameter], position }) {
    if (parameter?.kind !== "select" || parameter.test) {
      throw new MacroError(parameter?.position ?? position, "invalid argument to has() macro");
    }
    return { ...parameter, position, test: true };
  },
};

const simpleName = "argument must be a simple name";

const quantify = (name: string, kind: "all" | "exists" | "existsOne"): Macro =>
  method(name, 2, (call) => quantifier(call, kind, [variableName(call.parameters[0]!, simpleName)]));

const variableOf = (call: Call) => variableName(call.parameters[0]!);

export const existsOneMacro = quantify("existsOne", "existsOne");

export const standardMacros: readonly Macro[] = [
  has,
  quantify("all", "all"),
  quantify("exists", "exists"),
  quantify("exists_one", "existsOne"),
  method("map", 2, (call) => listFold(call, [variableOf(call)], undefined, call.parameters[1]!)),
  method("map", 3, (call) => listFold(call, [variableOf(call)], call.parameters[1]!, call.parameters[2]!)),
  method("filter", 2, (call) => listFold(call, [variableOf(call)], call.parameters[1]!, call.parameters[0]!)),
];
