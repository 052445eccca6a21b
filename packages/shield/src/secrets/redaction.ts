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

/** A shorter text holds no secret of any format, in characters. */
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
 * Creates a redaction for the key formats of many services, and for these secret values. Time is
 * linear in the text, and a stream holds back only text that may still become a secret.
 *
 * @param values secrets known by value, found as written and in usual encodings; values of fewer
 * than 6 characters are ignored, since they would occur in ordinary text
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
