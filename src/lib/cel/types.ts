/** The types that the checker reasons about, and how they are written in messages. */

export type SimpleTypeName =
  | "dyn"
  | "any"
  | "error"
  | "null"
  | "bool"
  | "int"
  | "uint"
  | "double"
  | "string"
  | "bytes"
  | "timestamp"
  | "duration";

export type Type =
  | { readonly kind: SimpleTypeName }
  | { readonly kind: "list"; readonly element: Type }
  | { readonly kind: "map"; readonly key: Type; readonly value: Type }
  /** The type of a type; of `undefined`, of any. */
  | { readonly kind: "type"; readonly of: Type | undefined }
  | { readonly kind: "message"; readonly name: string }
  /** A simple type or null. */
  | { readonly kind: "wrapper"; readonly of: Type }
  | { readonly kind: "parameter"; readonly name: string }
  /** A type of the host's or of a library, such as `optional_type(int)`. */
  | { readonly kind: "opaque"; readonly name: string; readonly parameters: readonly Type[] };

const simple = (kind: SimpleTypeName): Type => ({ kind });

export const dyn = simple("dyn");
export const anyType = simple("any");
export const errorType = simple("error");
export const nullType = simple("null");
export const bool = simple("bool");
export const int = simple("int");
export const uint = simple("uint");
export const double = simple("double");
export const string = simple("string");
export const bytes = simple("bytes");
export const timestamp = simple("timestamp");
export const duration = simple("duration");

export const list = (element: Type): Type => ({ kind: "list", element });
export const map = (key: Type, value: Type): Type => ({ kind: "map", key, value });
export const typeOf = (of: Type | undefined): Type => ({ kind: "type", of });
export const message = (name: string): Type => ({ kind: "message", name });
export const wrapper = (of: Type): Type => ({ kind: "wrapper", of });
export const parameter = (name: string): Type => ({ kind: "parameter", name });
export const opaque = (name: string, ...parameters: Type[]): Type => ({ kind: "opaque", name, parameters });
export const optionalTypeName = "optional_type";
export const optional = (of: Type): Type => opaque(optionalTypeName, of);

export function typeText(type: Type): string {
  switch (type.kind) {
    case "list":
      return `list(${typeText(type.element)})`;
    case "map":
      return `map(${typeText(type.key)}, ${typeText(type.value)})`;
    case "type":
      return type.of === undefined ? "type" : `type(${typeText(type.of)})`;
    case "wrapper":
      return `wrapper(${typeText(type.of)})`;
    case "message":
    case "parameter":
      return type.name;
    case "opaque":
      return type.parameters.length === 0 ? type.name : `${type.name}(${type.parameters.map(typeText).join(", ")})`;
    case "error":
      return "!error!";
    default:
      return type.kind;
  }
}
