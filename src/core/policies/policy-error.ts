/** What can be wrong with the text of a policy. */
import { ApiError } from "../../api/errors.ts";

/** A sentence about one place in a policy; whoever knows the place puts it in front. */
export class PolicyFault extends Error {
  override readonly name = "PolicyFault";
}

/** The only error that reading a policy throws. */
export class PolicyError extends ApiError {
  constructor(reason: string) {
    super(400, `failed to parse policy: ${reason}`);
  }
}
