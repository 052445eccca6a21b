import { BulkheadError } from '@bulkhead/protocol';

/**
 * Work that ends without an outcome because its engine stops: the next engine continues it, as after a crash. It is neither a
 * failure nor a cancel, so whatever ends with it is recorded neither as failed nor as refused nor as cancelled [P8, T8].
 * As the reason of an `AbortSignal` it tells an orderly stop from a person's cancel.
 */
export class Suspension extends BulkheadError {
  constructor() {
    super('not_running', 'the engine is stopping; it continues this at its next start', {
      retryable: true,
      fix: 'Try again when the engine runs.',
    });
  }
}

/** @returns the suspension that `signal` was aborted with; undefined for a person's cancel, or without an abort */
export function suspensionOf(signal: AbortSignal): Suspension | undefined {
  const reason: unknown = signal.reason;
  return signal.aborted && reason instanceof Suspension ? reason : undefined;
}

/** @throws Suspension if `signal` was aborted with one */
export function throwIfSuspended(signal: AbortSignal): void {
  const suspension = suspensionOf(signal);
  if (suspension !== undefined) throw suspension;
}
