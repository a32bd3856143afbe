/** What the handlers of ACME work with, over the storage of one transaction. */
import type { Host, Storage } from "../../../api/engine.ts";
import { Accounts } from "./account.ts";
import type { Authority } from "./authority.ts";
import { Authorizations } from "./authorization.ts";
import { Bindings } from "./binding.ts";
import { CertificateLinks } from "./certificate-link.ts";
import { Nonces } from "./nonce.ts";
import { Orders } from "./order.ts";
import { Recent } from "./recent.ts";
import { type AcmeSettings, type BindingPolicy, Settings } from "./settings.ts";
import { Validations } from "./validation.ts";

export interface Acme {
  readonly host: Host;
  readonly authority: Authority;
  readonly settings: Settings;
  readonly nonces: Nonces;
  readonly accounts: Accounts;
  readonly orders: Orders;
  readonly authorizations: Authorizations;
  readonly validations: Validations;
  readonly bindings: Bindings;
  readonly links: CertificateLinks;
  readonly recent: Recent;
}

/** What paths of ACME find in the services of their engine. */
export interface WithAcme {
  readonly acme: Acme;
}

export const acmeServices = (storage: Storage, host: Host, authority: Authority): Acme => ({
  host,
  authority,
  settings: new Settings(storage),
  nonces: new Nonces(storage, host.random),
  accounts: new Accounts(storage, host.random),
  orders: new Orders(storage, host.random),
  authorizations: new Authorizations(storage, host.random),
  validations: new Validations(storage),
  bindings: new Bindings(storage, host.random),
  links: new CertificateLinks(storage),
  recent: new Recent(storage, host.random),
});

/** What the operator of the server says goes before what the mount says. */
export const bindingPolicy = ({ host }: Acme, settings: AcmeSettings): BindingPolicy =>
  host.isPublicAcmeDisabled ? "always-required" : (settings.eab_policy as BindingPolicy);
