/** Fields that say what became of a version, shared by the paths that show one. */
import { dictionary, flag, integer, text } from "../../../api/fields.ts";

export const secretParams = { path: text("Where the secret is") };

export const customMetadataField = dictionary("Notes on the secret: up to 64 short strings by name");

export const stateFields = {
  created_time: text("When the version was written (RFC 3339)"),
  deletion_time: text("When the version was, or will be, deleted (RFC 3339); empty for never"),
  destroyed: flag("Whether the data is gone for good"),
};

export const versionFields = {
  version: integer("Number of the version"),
  ...stateFields,
  custom_metadata: customMetadataField.nullable(),
};

export const versionToRead = {
  version: integer("Version to read; 0 for the current one").default(0),
};
