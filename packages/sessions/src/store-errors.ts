import { BulkheadError } from '@bulkhead/protocol';

export function noSession(sessionId: string): BulkheadError {
  return new BulkheadError('not_found', `there is no session ${sessionId}`);
}

export function noEntry(sessionId: string, entry: string): BulkheadError {
  return new BulkheadError('not_found', `session ${sessionId} has no entry ${entry}`);
}

export function alreadyExists(sessionId: string): BulkheadError {
  return new BulkheadError('internal', `session ${sessionId} exists already`);
}

export function storeClosed(): BulkheadError {
  return new BulkheadError('store_failed', 'the session store is closed');
}
