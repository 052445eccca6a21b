import { createHash } from 'node:crypto';
import type { Action } from '@bulkhead/protocol';

/**
 * Fingerprint of an action that recognises a repeated proposal: of a command only its tool and
 * text; of any other action everything. SHA-256, 64 hex digits.
 */
export function likenessOf({ tool, hash, metadata }: Pick<Action, 'tool' | 'hash' | 'metadata'>): string {
  const { command } = metadata;
  if (command === undefined) return hash;
  const words = command.trim().replaceAll(/\s+/g, ' ');
  return createHash('sha256')
    .update(JSON.stringify([tool, words]))
    .digest('hex');
}
