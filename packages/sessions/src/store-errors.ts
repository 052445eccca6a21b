import { BulkheadError } from '@bulkhead/protocol';

export function noSession(sessionId: string): BulkheadError {
  return new BulkheadError('not_found', `there is no session ${sessionId}`, {
    fix: 'See `bulkhead sessions list`.',
  });
}

export function noEntry(sessionId: string, entry: string): BulkheadError {
  return new BulkheadError('not_found', `session ${sessionId} has no entry ${entry}`, {
    fix: `See \`bulkhead sessions show ${sessionId} --entries\`.`,
  });
}

export function alreadyExists(sessionId: string): BulkheadError {
  return new BulkheadError('internal', `session ${sessionId} exists already`);
}

export function wasDeleted(sessionId: string): BulkheadError {
  return new BulkheadError(
    'internal',
    `there was a session ${sessionId} once: the id of a deleted one is not used again`,
  );
}

export function hasForks(sessionId: string, forks: readonly string[]): BulkheadError {
  return new BulkheadError(
    'usage',
    `session ${sessionId} can't be deleted: ${forks.join(', ')} shares its beginning`,
    { fix: 'Delete the forks first.', details: { session: sessionId, forks } },
  );
}

export function storeClosed(): BulkheadError {
  return new BulkheadError('store_failed', 'the session store is closed');
}

export function databaseIsGone(path: string): BulkheadError {
  return new BulkheadError('store_failed', `the session database ${path} is gone`, {
    fix: 'Put it back, then run `bulkhead start`. Started by hand, an engine without one begins with an empty one.',
    details: { path },
  });
}

/** For a session whose log lost records, until a person has decided. */
export function readOnlySession(sessionId: string): BulkheadError {
  return new BulkheadError(
    'not_available',
    `session ${sessionId} is read-only: its log lost records that the audit log names`,
    {
      fix: `See \`bulkhead doctor\` for what is missing. Restore a backup, or go on without it: \`bulkhead sessions accept-loss ${sessionId}\`.`,
      details: { session: sessionId },
    },
  );
}

export function noLoss(sessionId: string): BulkheadError {
  return new BulkheadError('not_found', `session ${sessionId} lost nothing that the audit log names`, {
    fix: 'See `bulkhead doctor`.',
    details: { session: sessionId },
  });
}
