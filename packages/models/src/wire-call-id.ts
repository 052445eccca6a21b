import { createHash } from 'node:crypto';

const PLAIN = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The id of a call as a provider takes it. A call that another provider's model made may have one that this one refuses:
 * then a plain one stands in, always the same for the same id, so that call and result still meet.
 */
export function wireCallId(id: string, form: 'any' | 'plain'): string {
  if (form === 'any' || PLAIN.test(id)) return id;
  return `call_${createHash('sha256').update(id).digest('hex').slice(0, 24)}`;
}
