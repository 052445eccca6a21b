import { createHash } from 'node:crypto';

const PLAIN = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The id of a call in a form the provider accepts. If it refuses another provider's id, a plain one
 * replaces it, always the same for the same id, so that call and result still match.
 */
export function wireCallId(id: string, form: 'any' | 'plain'): string {
  if (form === 'any' || PLAIN.test(id)) return id;
  return `call_${createHash('sha256').update(id).digest('hex').slice(0, 24)}`;
}
