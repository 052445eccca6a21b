import { BulkheadError, type Outcome } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { exitCodeOfError, exitCodeOfRun } from './exit-code.ts';

describe('exit codes [I1]', () => {
  it.each<[Outcome, string | undefined, number]>([
    ['completed', undefined, 0],
    ['merged', undefined, 0],
    ['failed', undefined, 1],
    ['failed', 'agent_failed', 1],
    ['failed', 'missing_key', 1],
    ['failed', 'config_invalid', 1],
    ['failed', 'brand_new_code', 1],
    ['failed', 'rate_limit', 4],
    ['failed', 'overloaded', 4],
    ['failed', 'server_error', 4],
    ['failed', 'timeout', 4],
    ['failed', 'context_overflow', 4],
    ['failed', 'auth', 4],
    ['failed', 'auth_permanent', 4],
    ['failed', 'billing', 4],
    ['failed', 'model_not_found', 4],
    ['failed', 'content_blocked', 4],
    ['failed', 'format_error', 4],
    ['failed', 'unknown_provider_error', 4],
    ['blocked', 'denied', 3],
    ['limit', 'round_limit', 5],
    ['limit', 'spend_limit', 5],
    ['failed', 'spend_limit', 5],
    ['failed', 'busy', 1],
    ['aborted', undefined, 130],
  ])('%s with error %s is %i', (outcome, code, exit) => {
    expect(exitCodeOfRun(code === undefined ? { outcome } : { outcome, error: { code } })).toBe(exit);
  });

  it('is 2 for usage, 130 for cancelled, 1 for every other error', () => {
    expect(exitCodeOfError(new BulkheadError('usage', 'x'))).toBe(2);
    expect(exitCodeOfError(new BulkheadError('cancelled', 'x'))).toBe(130);
    expect(exitCodeOfError(new BulkheadError('spend_limit', 'x'))).toBe(5);
    expect(exitCodeOfError(new BulkheadError('busy', 'x'))).toBe(1);
    expect(exitCodeOfError(new BulkheadError('already_running', 'x'))).toBe(1);
    expect(exitCodeOfError(new TypeError('x'))).toBe(1);
  });
});
