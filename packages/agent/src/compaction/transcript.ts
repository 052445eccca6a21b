import type { Message } from '@bulkhead/protocol/chat';
import { callsOf, textOf } from '../loop/message-parts.ts';
import { textTokens } from './token-estimate.ts';

const MARKS = /<(\/?)(conversation|earlier_summary|focus|pinned)\b/gi;

/** Limits of shown text by kind, in characters; from generous to minimal. */
const STEPS: readonly { readonly said: number; readonly called: number; readonly returned: number }[] = [
  { said: 8_000, called: 1_000, returned: 4_000 },
  { said: 4_000, called: 400, returned: 1_000 },
  { said: 2_000, called: 200, returned: 200 },
  { said: 500, called: 80, returned: 0 },
];

/** Text that can't close the marks around it. */
export function asData(text: string): string {
  return text.replaceAll(MARKS, '‹$1$2');
}

/**
 * A conversation as text for a summarizing model: messages, calls and results, each limited so that
 * a giant result leaves room for all others [K2]. If it is still too long, only its newest part.
 *
 * @param tokens that the text may have
 */
export function transcript(messages: readonly Message[], tokens: number): string {
  for (const step of STEPS) {
    const lines = messages.map((message) => lineOf(message, step));
    if (lines.reduce((sum, line) => sum + textTokens(line), 0) <= tokens) return lines.join('\n');
  }
  return newest(messages, tokens);
}

function newest(messages: readonly Message[], tokens: number): string {
  const [step] = STEPS.slice(-1);
  if (step === undefined) return '';
  const lines: string[] = [];
  let sum = 40;
  for (const message of messages.toReversed()) {
    const line = lineOf(message, step);
    sum += textTokens(line);
    if (sum > tokens) break;
    lines.push(line);
  }
  return [`(${messages.length - lines.length} earlier messages left out)`, ...lines.toReversed()].join('\n');
}

function lineOf({ role }: Message, step: (typeof STEPS)[number]): string {
  switch (role.case) {
    case 'user': {
      const images = role.value.images.length === 0 ? '' : ` (and ${role.value.images.length} images)`;
      const files = role.value.attachments.map(
        ({ name, text }) => `\nFILE ${asData(name)}: ${shown(text, step.returned)}`,
      );
      return `USER: ${shown(role.value.text, step.said)}${images}${files.join('')}`;
    }
    case 'assistant': {
      const text = textOf(role.value);
      const calls = callsOf(role.value).map(
        ({ name, argumentsJson }) => `CALL ${name} ${shown(argumentsJson, step.called)}`,
      );
      return [...(text === '' ? [] : [`ASSISTANT: ${shown(text, step.said)}`]), ...calls].join('\n');
    }
    case 'tool': {
      const { name, text, isError } = role.value;
      return `${isError ? 'FAILED' : 'RESULT'} ${name}: ${shown(text, step.returned)}`;
    }
    case undefined:
      return '';
  }
}

/** The beginning and the end of a text. */
function shown(text: string, most: number): string {
  if (text.length <= most) return asData(text);
  const left = `[${text.length} characters]`;
  if (most === 0) return left;
  const half = Math.floor(most / 2);
  return asData(`${text.slice(0, half)} … ${left} … ${text.slice(-half)}`);
}
