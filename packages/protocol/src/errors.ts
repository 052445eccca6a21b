/**
 * The one error base. Identity is the brand symbol and the stable `code`, never the message.
 */

const BRAND = Symbol.for('bulkhead.error');

/** All codes: part of the outside contract. */
const ERROR_CODES = [
  // The user: usage, configuration, environment.
  'usage',
  'config_invalid',
  'not_available',
  'already_running',
  'not_running',
  'unauthenticated',
  'not_found',
  'busy',
  'sandbox_unavailable',
  // A tool or its arguments.
  'invalid_arguments',
  'unknown_tool',
  'blocked',
  'denied',
  'tool_failed',
  'timeout',
  'cancelled',
  // A model or its provider.
  'rate_limit',
  'overloaded',
  'server_error',
  'context_overflow',
  'auth',
  'auth_permanent',
  'billing',
  'model_not_found',
  'content_blocked',
  'format_error',
  'unknown_provider_error',
  'missing_key',
  // The run and its processes.
  'round_limit',
  'spend_limit',
  'answer_limit',
  'interrupted',
  'agent_failed',
  'worker_failed',
  'protocol_violation',
  'store_corrupt',
  'store_failed',
  'audit_failed',
  'internal',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** `value` as one of our codes; undefined for a newer or foreign peer's code. */
export function errorCode(value: unknown): ErrorCode | undefined {
  return ERROR_CODES.find((code) => code === value);
}

export interface ErrorFields {
  /** The user's remedy, as a sentence. */
  readonly fix?: string;
  /** True if the same request may succeed later without any change by a person. */
  readonly retryable?: boolean;
  readonly cause?: unknown;
  /** Facts for programs: status codes, paths, line numbers. No secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export class BulkheadError extends Error {
  readonly [BRAND] = true;
  readonly code: ErrorCode;
  readonly fix: string | undefined;
  readonly retryable: boolean;
  readonly details: Readonly<Record<string, unknown>>;

  /**
   * @param code stable identity, part of the outside contract
   * @param message the problem and its place, one line, no stack
   */
  constructor(code: ErrorCode, message: string, fields: ErrorFields = {}) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.name = 'BulkheadError';
    this.code = code;
    this.fix = fields.fix;
    this.retryable = fields.retryable ?? false;
    this.details = fields.details ?? {};
  }

  /** True for an instance made by any copy of this class: several bundles are loaded at once. */
  static is(value: unknown): value is BulkheadError {
    return typeof value === 'object' && value !== null && BRAND in value;
  }

  /** `value` itself if it is one of ours, else an `internal` error that keeps it as cause. */
  static from(value: unknown): BulkheadError {
    if (BulkheadError.is(value)) return value;
    const message = value instanceof Error ? value.message : String(value);
    return new BulkheadError('internal', message, { cause: value });
  }
}

/** One line for the user: the problem and, if known, its remedy. */
export function describeError(error: unknown): string {
  const known = BulkheadError.from(error);
  return known.fix === undefined ? known.message : `${known.message}. ${known.fix}`;
}
