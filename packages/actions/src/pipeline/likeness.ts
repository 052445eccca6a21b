import { createHash } from 'node:crypto';
import type { Action } from '@bulkhead/protocol';

/**
 * By what an action is known when it is proposed again: a command by its words, whatever else its arguments say;
 * any other action by all it would do. SHA-256, 64 hex digits.
 */
export function likenessOf({ tool, hash, metadata }: Pick<Action, 'tool' | 'hash' | 'metadata'>): string {
  const { command } = metadata;
  if (command === undefined) return hash;
  const words = command.trim().replaceAll(/\s+/g, ' ');
  return createHash('sha256')
    .update(JSON.stringify([tool, words]))
    .digest('hex');
}
