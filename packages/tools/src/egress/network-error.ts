import { BulkheadError } from '@bulkhead/protocol';
import type { Host } from './host.ts';

/**
 * Returns our errors unchanged, the signal's reason if it caused the failure, and others in words.
 */
export function networkError(error: unknown, host: Host, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (BulkheadError.is(error)) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const why = WORDS[code] ?? (error instanceof Error ? error.message : String(error));
  return new BulkheadError('tool_failed', `${host.text}: ${why}`, { cause: error, retryable: true });
}

const WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name could not be resolved: is this machine online?',
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'it broke the connection off',
  ENETUNREACH: 'there is no way to it from here',
  EHOSTUNREACH: 'there is no way to it from here',
};
