import type { Redaction } from '@bulkhead/protocol';

/**
 * A name is read with so much of a long text, in characters: more than any format waits for before it knows whether what the
 * name begins is a secret, a known secret with all the line breaks it may have included.
 */
const NAME_REACHES = 32 * 1024;

/**
 * Redacts secrets in every text of a JSON value, names included. A text under a secret's name is
 * read together with that name. A value without secrets is returned unchanged.
 */
export function redactValue<Value>(value: Value, redaction: Redaction): Value;
export function redactValue(value: unknown, redaction: Redaction): unknown {
  return redacted(value, '', redaction);
}

function redacted(value: unknown, name: string, redaction: Redaction): unknown {
  if (typeof value === 'string') return redactText(value, name, redaction);
  if (Array.isArray(value)) return value.map((item) => redacted(item, name, redaction));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [redaction.redact(key), redacted(inner, key, redaction)]),
  );
}

function redactText(text: string, name: string, { redact }: Redaction): string {
  const out = redact(text);
  if (name === '' || out !== text) return out;
  const prefix = `${name}: `;
  if (text.length > NAME_REACHES) {
    const beginning = `${prefix}${text.slice(0, NAME_REACHES)}`;
    if (redact(beginning) === beginning) return out;
  }
  const named = redact(`${prefix}${text}`);
  return named.startsWith(prefix) ? named.slice(prefix.length) : out;
}
