/** Failures whose words are meant for the caller. Any other error becomes a 500 without detail. */

export interface ApiErrorDetail {
  readonly data?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** What the error envelope lists; empty where clients expect an empty list. */
  readonly messages: readonly string[];
  readonly data: object | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    messages: string | readonly string[],
    { data, headers = {}, cause }: ApiErrorDetail = {},
  ) {
    const list = typeof messages === "string" ? [messages] : messages;
    super(list.join("; "), cause === undefined ? undefined : { cause });
    this.status = status;
    this.messages = list;
    this.data = data;
    this.headers = headers;
  }
}

export const invalidRequest = (message: string) => new ApiError(400, message);

/** No token, or one that nobody knows. */
export const permissionDenied = () => new ApiError(403, "permission denied");

/** Clients expect an empty list of errors when a thing they read, or a list they asked for, is not there. */
export const absent = () => new ApiError(404, []);

/** Something that the request refers to does not exist, and the caller should hear which. */
export const notFound = (message: string) => new ApiError(404, message);

export const sealed = () => new ApiError(503, "Vault is sealed");

/** Clients look for the peers' way of listing errors inside one text. */
const listed = (message: string) => `1 error occurred:\n\t* ${message}\n\n`;

export const deniedByPolicy = () => new ApiError(403, listed("permission denied"));
export const unsupportedPath = () => new ApiError(404, listed("unsupported path"));
export const unsupportedOperation = () => new ApiError(405, listed("unsupported operation"));
