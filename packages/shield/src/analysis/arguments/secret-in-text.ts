import { entropyOf } from '../../secrets/looks-random.ts';
import { createRedaction } from '../../secrets/redaction.ts';

/** The formats that are taken out of what people and models see: one list says what a key or token looks like. */
const FORMATS = createRedaction([]);
const REDACTED = /\[redacted:([\w-]{1,40})\]/;
/** What `crypt` and its kin make of a password: its owner may see it, and nobody may send it. */
const PASSWORD_HASH = /\$(?:1|2[abxy]|5|6|y|argon2id?)\$[\w./$=,-]{16}/;

/** `NAME=value` and `"name": "value"`, where the name says that the value is secret. */
const ASSIGNMENT =
  /(?:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|client[_-]?secret|auth(?:orization)?|credential)s?\\?["']?\s{0,4}(?:=|:|=>)\s{0,4}(?:Bearer |Basic )?\\?["']?([^\s"',;<>{}()\\]{8,200})/gi;
const PLACEHOLDER =
  /^(?:[x*.•_-]+|.*(?:example|placeholder|changeme|your[-_]|redacted|process\.env|os\.environ|<|\$\{|\{\{).*)$/i;
/** Bits per character; words and names lie below. */
const RANDOM = 3.2;

/**
 * Names the first secret in a text, by its format or by an assignment to a secret's name. Shorter values count than where
 * text is only hidden from view. Linear in the text.
 *
 * @returns what it is, without the secret itself
 */
export function secretIn(text: string): string | undefined {
  if (PASSWORD_HASH.test(text)) return 'a password hash';
  const without = FORMATS.redact(text);
  if (without !== text) return `a secret (${REDACTED.exec(without)?.[1] ?? 'unknown'})`;
  for (const [, value] of text.matchAll(ASSIGNMENT)) {
    if (value === undefined || PLACEHOLDER.test(value)) continue;
    if (/\d/.test(value) && /[a-z]/i.test(value) && entropyOf(value) >= RANDOM)
      return 'a value that is called secret';
  }
  return undefined;
}
