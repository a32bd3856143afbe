/** Where the seal keeps what it needs. Nothing else may write below `core/seal/`. */

export const storedAt = {
  /** Readable: kind of seal, numbers of shares. */
  config: "core/seal/config",
  /** Wrapped by the seal. */
  rootKey: "core/seal/root-key",
  /** Encrypted under the root key. */
  keyring: "core/seal/keyring",
  /** Inside the barrier: what the shares of a Shamir seal combine to, so that the root key can be changed without them. */
  unsealKey: "core/seal/unseal-key",
  /** Inside the barrier: a digest that recognizes the recovery key. */
  recoveryKey: "core/seal/recovery-key",
  /** Each root key under the one before it, by the generation of the one before, for processes that still hold that. */
  handoffs: "core/seal/handoff/",
} as const;
