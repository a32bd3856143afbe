/** Declares the keys of the barrier: `sys/key-status`, `sys/rotate` and its settings, `sys/rotate/root`. */
import { duration, flag, integer, text } from "../../api/fields.ts";
import { pathsFor } from "../../api/path.ts";
import type { SystemServices } from "./system-core.ts";

const path = pathsFor<SystemServices>();

const keyStatus = path({
  pattern: "key-status",
  summary: "The key that new values are encrypted with",
  dataOnTop: true,
  read: {
    summary: "Read the status of the encryption key",
    output: {
      term: integer("Number of the key; grows with each rotation"),
      install_time: text("When the key came into use"),
      encryptions: integer("How often it was used, as far as all servers have reported"),
    },
    handler: async (_input, { services }) => services.seal.keyStatus(),
  },
});

const rotate = path({
  pattern: ["rotate", "rotate/keyring"],
  summary: "Rotate the encryption key",
  dataOnTop: true,
  write: {
    summary: "Add a new encryption key; the old ones stay for reading",
    sudo: true,
    effects: true,
    handler: (_input, { services }) => services.seal.rotateKeyring(),
  },
});

const settings = {
  enabled: flag("Whether the key is rotated automatically"),
  max_operations: integer("Encryptions after which the key is rotated"),
  interval: duration("Age after which the key is rotated; 0 for never"),
};

const rotateConfig = path({
  pattern: ["rotate/config", "rotate/keyring/config"],
  summary: "When the encryption key is rotated automatically",
  read: {
    summary: "Read the settings of automatic rotation",
    output: settings,
    handler: async (_input, { services }) => services.seal.readRotation(),
  },
  write: {
    summary: "Change the settings of automatic rotation",
    effects: true,
    input: {
      enabled: settings.enabled.optional(),
      max_operations: settings.max_operations.optional(),
      interval: settings.interval.optional(),
    },
    handler: ({ enabled, max_operations, interval }, { services }) =>
      services.seal.writeRotation({
        ...(enabled !== undefined && { enabled }),
        ...(max_operations !== undefined && { max_operations }),
        ...(interval !== undefined && { interval }),
      }),
  },
  examples: [{ operation: "write", request: { enabled: true, interval: "720h" } }],
});

const rotateRoot = path({
  pattern: "rotate/root",
  summary: "Rotate the root key",
  write: {
    summary: "Replace the key that encrypts the keyring; key shares stay good",
    sudo: true,
    effects: true,
    handler: (_input, { services }) => services.seal.rotateRootKey(),
  },
});

export const rotatePaths = [keyStatus, rotate, rotateConfig, rotateRoot];
