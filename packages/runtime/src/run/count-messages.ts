import { messageTokens, textTokens } from '@bulkhead/agent';
import { callsOf, textOf, thinkingOf } from '@bulkhead/log/session/message-view';
import type { TokenCounter } from '@bulkhead/models';
import type { Message } from '@bulkhead/protocol/chat';

/**
 * Counts the tokens of each message with a real tokenizer, for conversations that no provider has
 * counted [K6]. Images and the frame of a message are estimated; so is everything if the tokenizer
 * can't run.
 */
export async function countMessages(
  messages: readonly Message[],
  counter: TokenCounter | undefined,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const estimates = messages.map(messageTokens);
  if (counter === undefined || messages.length === 0) return estimates;
  const texts = messages.map(wordsOf);
  try {
    const counts = await counter.count(texts, signal);
    return estimates.map((tokens, at) => {
      const around = tokens - textTokens(texts[at] ?? '');
      return Math.max(0, around) + (counts[at] ?? tokens);
    });
  } catch {
    signal.throwIfAborted();
    return estimates;
  }
}

function wordsOf(message: Message): string {
  const { role } = message;
  if (role.case === 'user') {
    return [role.value.text, ...role.value.attachments.map(({ text }) => text)].join('');
  }
  if (role.case !== 'assistant') return textOf(message);
  const calls = callsOf(role.value).map(({ name, argumentsJson }) => name + argumentsJson);
  return [textOf(message), thinkingOf(message), ...calls].join('');
}
