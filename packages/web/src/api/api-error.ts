/** The engine's error, or the reason why it could not be reached. */
export class ApiError extends Error {
  /** A code of `BulkheadError`; `unreachable` if there was no answer. */
  readonly code: string;
  /** The remedy; empty if unknown. */
  readonly fix: string;

  constructor(code: string, message: string, fix = '') {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.fix = fix;
  }
}

/** Any failure in a sentence for a person. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) return error.fix === '' ? error.message : `${error.message} ${error.fix}`;
  return error instanceof Error ? error.message : String(error);
}
