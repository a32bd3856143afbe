/** Policies that every store has: the default one, which operators may edit, and the one for wrapped answers. */

export const defaultPolicyText = `# What every token may do unless it was made without this policy. Edit it as you need.

# Itself: look up, renew, revoke, and ask what it may do, and why.
path "auth/token/lookup-self" {
  capabilities = ["read"]
}
path "auth/token/renew-self" {
  capabilities = ["update"]
}
path "auth/token/revoke-self" {
  capabilities = ["update"]
}
path "sys/capabilities-self" {
  capabilities = ["update"]
}
path "sys/capabilities-explain" {
  capabilities = ["update"]
}
path "sys/internal/ui/resultant-acl" {
  capabilities = ["read"]
}

# The entity it belongs to.
path "identity/entity/id/{{identity.entity.id}}" {
  capabilities = ["read"]
}
path "identity/entity/name/{{identity.entity.name}}" {
  capabilities = ["read"]
}

# Its private storage.
path "cubbyhole/*" {
  capabilities = ["create", "read", "update", "delete", "list"]
}

# Leases whose id it knows.
path "sys/leases/lookup" {
  capabilities = ["update"]
}
path "sys/leases/renew" {
  capabilities = ["update"]
}

# Wrapped answers: make one, see how old it is, open it.
path "sys/wrapping/wrap" {
  capabilities = ["update"]
}
path "sys/wrapping/lookup" {
  capabilities = ["update"]
}
path "sys/wrapping/unwrap" {
  capabilities = ["update"]
}

# Hashes of its own data.
path "sys/tools/hash" {
  capabilities = ["update"]
}
path "sys/tools/hash/*" {
  capabilities = ["update"]
}

# Logging in to applications through an OpenID Connect provider.
path "identity/oidc/provider/+/authorize" {
  capabilities = ["read", "update"]
}
`;

/** All that a wrapping token needs: the answer in its cubbyhole, and to end itself once that was read. */
export const wrappingPolicyText = `path "cubbyhole/response" {
  capabilities = ["create", "read"]
}
path "sys/wrapping/unwrap" {
  capabilities = ["update"]
}
path "auth/token/revoke-self" {
  capabilities = ["update"]
}
`;
