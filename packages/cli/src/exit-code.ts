import { BulkheadError, type Outcome } from '@bulkhead/protocol';

/** Exit codes for the shell. Fixed by the contract. */
export const EXIT = {
  completed: 0,
  failed: 1,
  usage: 2,
  blocked: 3,
  provider: 4,
  limit: 5,
  cancelled: 130,
} as const;

/** Errors of a model or its provider. A missing key isn't one: no request was sent. */
const PROVIDER_CODES: ReadonlySet<string> = new Set([
  'rate_limit',
  'overloaded',
  'server_error',
  'timeout',
  'context_overflow',
  'auth',
  'auth_permanent',
  'billing',
  'model_not_found',
  'content_blocked',
  'format_error',
  'unknown_provider_error',
]);

/** Outcomes of any version map to these same codes. */
const LIMIT_CODES: ReadonlySet<string> = new Set(['round_limit', 'spend_limit', 'answer_limit']);

/** @param settled the end of a run, from its event */
export function exitCodeOfRun(settled: {
  readonly outcome: Outcome;
  readonly error?: { readonly code: string };
}): number {
  switch (settled.outcome) {
    case 'completed':
    case 'merged':
      return EXIT.completed;
    case 'blocked':
      return EXIT.blocked;
    case 'limit':
      return EXIT.limit;
    case 'aborted':
      return EXIT.cancelled;
    case 'failed':
      return exitCodeOfFailure(settled.error?.code);
  }
}

function exitCodeOfFailure(code: string | undefined): number {
  if (code === undefined) return EXIT.failed;
  if (code === 'usage') return EXIT.usage;
  if (LIMIT_CODES.has(code)) return EXIT.limit;
  return PROVIDER_CODES.has(code) ? EXIT.provider : EXIT.failed;
}

/** For a command that ended in its own error. */
export function exitCodeOfError(error: unknown): number {
  const { code } = BulkheadError.from(error);
  if (code === 'usage') return EXIT.usage;
  if (code === 'cancelled') return EXIT.cancelled;
  return LIMIT_CODES.has(code) ? EXIT.limit : EXIT.failed;
}
