import { createRedaction } from '@bulkhead/shield';

const MARK = /\[redacted:([a-z0-9-]+)\]/g;

/**
 * The kinds of secrets that a text seems to contain, without duplicates: by the forms of services'
 * keys, and by the words before a value.
 */
export function findSecrets(text: string): readonly string[] {
  const redacted = createRedaction([]).redact(text);
  if (redacted === text) return [];
  return [...new Set([...redacted.matchAll(MARK)].map(([, kind = '']) => kind))];
}
