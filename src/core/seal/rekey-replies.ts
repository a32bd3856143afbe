/** What a change of key shares is asked and what it answers, with the names of the wire. */

export interface RekeyRequest {
  readonly secret_shares?: number | undefined;
  readonly secret_threshold?: number | undefined;
  readonly pgp_keys?: readonly string[] | undefined;
  readonly require_verification?: boolean | undefined;
}

export interface ShareRequest {
  readonly key?: string | undefined;
  readonly nonce?: string | undefined;
}

export interface RekeyStatus {
  readonly nonce: string;
  readonly started: boolean;
  readonly t: number;
  readonly n: number;
  readonly progress: number;
  readonly required: number;
  readonly pgp_fingerprints: null;
  readonly backup: false;
  readonly verification_required: boolean;
  readonly verification_nonce?: string;
}

export interface RekeyResult {
  readonly nonce: string;
  readonly complete: true;
  readonly keys: readonly string[];
  readonly keys_base64: readonly string[];
  readonly pgp_fingerprints: null;
  readonly backup: false;
  readonly verification_required: boolean;
  readonly verification_nonce?: string;
}

export interface VerificationStatus {
  readonly nonce: string;
  readonly started: boolean;
  readonly t: number;
  readonly n: number;
  readonly progress: number;
}

export interface VerificationResult {
  readonly nonce: string;
  readonly complete: true;
}
