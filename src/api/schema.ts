/** JSON Schema of a set of fields: the one source for OpenAPI, help, docs and forms. */
import { z } from "zod";
import { defaultOf, type Field, type Fields, notesOf } from "./fields.ts";

export type JsonSchema = { [key: string]: unknown } & {
  properties?: Record<string, JsonSchema>;
  required?: string[];
  description?: string;
  default?: unknown;
};

export function schemaOf(fields: Fields, io: "input" | "output"): JsonSchema {
  const schema = z.toJSONSchema(z.object(fields), {
    io,
    target: "openapi-3.0",
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      const field = zodSchema as unknown as Field;
      // zod drops the default of a field that coerces its input; readers of the API still need it.
      const value = defaultOf(field);
      if (value !== undefined) jsonSchema.default = value as never;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      const { description, format, deprecated, schema } = notesOf(field);
      if (schema !== undefined) Object.assign(jsonSchema, schema);
      delete (jsonSchema as JsonSchema)["schema"];
      delete (jsonSchema as JsonSchema)["plain"];
      if (description !== undefined) jsonSchema.description = description;
      if (format !== undefined) jsonSchema.format = format;
      if (deprecated) jsonSchema.deprecated = true;
      delete (jsonSchema as JsonSchema)["sensitive"];
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  }) as JsonSchema;
  if (io === "input" && schema.required) schema.required = schema.required.filter((name) => isRequired(fields[name]));
  if (schema.required?.length === 0) delete schema.required;
  return schema;
}

const isRequired = (field: Field | undefined) => field !== undefined && !field.safeParse(undefined).success;
