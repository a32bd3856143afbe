/** `cel.bind(name, value, result)`: a name for a value that is needed several times. */
import type { Library } from "../declarations.ts";
import { bind, method, variableName } from "../macro.ts";

export const bindingsLibrary: Library = {
  overloads: [],
  macros: [
    method("bind", 3, (call) => {
      const { target, parameters } = call;
      if (target?.kind !== "identifier" || target.name !== "cel") return undefined;
      const [name, value, result] = parameters;
      const message = "cel.bind() variable names must be simple identifiers";
      return bind(call, variableName(name!, message), value!, result!);
    }),
  ],
};
