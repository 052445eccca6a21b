import { create } from '@bufbuild/protobuf';
import type { Redaction } from '@bulkhead/protocol';
import {
  type AssistantMessage,
  AssistantMessageSchema,
  type AssistantPart,
  AssistantPartSchema,
} from '@bulkhead/protocol/chat';
import { redactValue } from './redact-value.ts';

/** Provider data that no provider reads: what it came with has been changed, so that it must not go back [A7]. */
const OF_NOBODY = '{}';

/**
 * The answer as the run goes on with it: no secret in its text, which is that of the redacted stream. Thinking and
 * arguments stay as the model wrote them: a provider checks the one against its signature, and the other is executed.
 */
export function redactText(answer: AssistantMessage, redaction: Redaction): AssistantMessage {
  const texts = answer.parts.flatMap(({ part }) => (part.case === 'text' ? [part.value.text] : []));
  const whole = texts.join('');
  const redacted = redaction.redact(whole);
  if (redacted === whole) return answer;
  // Several parts are cut as they came: what is held back at the end of one is given out with the next.
  const stream = texts.length === 1 ? { push: () => redacted, end: () => '' } : redaction.redactor();
  let left = texts.length;
  const parts = answer.parts.map((one) => {
    if (one.part.case !== 'text') return one;
    left -= 1;
    const text = stream.push(one.part.value.text) + (left === 0 ? stream.end() : '');
    return create(AssistantPartSchema, { part: { case: 'text', value: { text } }, providerJson: '' });
  });
  return create(AssistantMessageSchema, { parts });
}

/** The answer as the log keeps it and clients are shown it: no secret anywhere. */
export function redactAnswer(answer: AssistantMessage, redaction: Redaction): AssistantMessage {
  const { parts } = redactText(answer, redaction);
  return create(AssistantMessageSchema, { parts: parts.map((part) => redactPart(part, redaction)) });
}

/** Arguments that parse still do. */
function redactArguments(json: string, redaction: Redaction): string {
  try {
    const before: unknown = JSON.parse(json);
    const after = JSON.stringify(redactValue(before, redaction));
    return after === JSON.stringify(before) ? json : after;
  } catch {
    return redaction.redact(json);
  }
}

function redactPart(one: AssistantPart, redaction: Redaction): AssistantPart {
  const { redact } = redaction;
  const { part, providerJson } = one;
  const data = redact(providerJson) === providerJson ? providerJson : OF_NOBODY;
  switch (part.case) {
    case 'thinking': {
      const text = redact(part.value.text);
      const isSame = text === part.value.text;
      return create(AssistantPartSchema, {
        part: { case: 'thinking', value: { text } },
        providerJson: isSame ? data : OF_NOBODY,
      });
    }
    case 'toolCall': {
      const { callId, name, argumentsJson } = part.value;
      const value = { callId, name: redact(name), argumentsJson: redactArguments(argumentsJson, redaction) };
      return create(AssistantPartSchema, { part: { case: 'toolCall', value }, providerJson: data });
    }
    default:
      return data === providerJson ? one : create(AssistantPartSchema, { part, providerJson: data });
  }
}
