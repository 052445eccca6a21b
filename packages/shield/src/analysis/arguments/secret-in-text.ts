import { entropyOf } from '../../secrets/looks-random.ts';
import { createRedaction } from '../../secrets/redaction.ts';

/** The formats that are redacted for people and models: one list defines keys and tokens. */
const FORMATS = createRedaction([]);
const REDACTED = /\[redacted:([\w-]{1,40})\]/;
/** A password hash by `crypt` and similar: its owner may see it, and it must never be sent. */
const PASSWORD_HASH = /\$(?:1|2[abxy]|5|6|y|argon2id?)\$[\w./$=,-]{16}/;

/** `NAME=value` and `"name": "value"`, where the name says that the value is a secret. */
const ASSIGNMENT =
  /(?:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|client[_-]?secret|auth(?:orization)?|credential)s?\\?["']?\s{0,4}(?:=|:|=>)\s{0,4}(?:Bearer |Basic )?\\?["']?([^\s"',;<>{}()\\]{8,200})/gi;
const PLACEHOLDER =
  /^(?:[x*.•_-]+|.*(?:example|placeholder|changeme|your[-_]|redacted|process\.env|os\.environ|<|\$\{|\{\{).*)$/i;
/** Bits per character; words and names have fewer. */
const RANDOM = 3.2;

/**
 * Names the first secret in a text, by its format or by an assignment to a secret's name. Shorter
 * values count than where secrets are only redacted from view. Linear in the text.
 *
 * @returns the kind of secret, without its value
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
