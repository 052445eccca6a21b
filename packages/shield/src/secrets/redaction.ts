import type { Redaction, Redactor } from '@bulkhead/protocol';
import { AnchorAutomaton } from './anchor-automaton.ts';
import { assignmentFormat } from './assignment-candidate.ts';
import { authorizationFormats } from './authorization-formats.ts';
import type { SecretFormat } from './candidate.ts';
import { jwtFormat } from './jwt-candidate.ts';
import { pemFormat } from './pem-candidate.ts';
import { StreamRedactor } from './stream-redactor.ts';
import { tokenFormats } from './token-formats.ts';
import { urlPasswordFormat } from './url-password-candidate.ts';
import { valueFormats } from './value-candidate.ts';

/** No shorter text holds a secret of any format, in characters. */
const LEAST_TEXT = 6;

const FORMATS: readonly SecretFormat[] = [
  ...tokenFormats,
  jwtFormat,
  pemFormat,
  urlPasswordFormat,
  ...authorizationFormats,
  assignmentFormat,
];

/**
 * A redaction that knows the formats of many services' keys, and these secrets by value. Time is linear in the text, and a
 * stream holds back no more than what may still become a secret.
 *
 * @param values secrets known by value, found as they are and in usual encodings; those of fewer than 6 characters are not:
 *   they would be found in ordinary text
 */
export function createRedaction(values: readonly string[]): Redaction {
  const formats = [...FORMATS, ...values.flatMap(valueFormats)];
  const automaton = new AnchorAutomaton(
    formats.flatMap((meaning) =>
      meaning.anchors.map((text) => ({
        text,
        meaning,
        holds: meaning.holds,
        acrossLines: meaning.acrossLines ?? false,
      })),
    ),
  );
  const redactor = (): Redactor => new StreamRedactor(automaton);
  return {
    redactor,
    redact: (text) => {
      if (text.length < LEAST_TEXT) return text;
      const stream = redactor();
      return stream.push(text) + stream.end();
    },
  };
}
