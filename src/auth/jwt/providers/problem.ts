/** What a provider's own way of doing things came to, in words for the caller. */

export class ProviderProblem extends Error {
  override readonly name = "ProviderProblem";
}
