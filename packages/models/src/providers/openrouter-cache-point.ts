import type { LanguageModelV4Message } from '@ai-sdk/provider';
import type { RequestWishes } from '../provider-adapter.ts';
import { MESSAGE_FIELDS } from './return-reasoning-details.ts';

const POINT = { cache_control: { type: 'ephemeral' } } as const;

/**
 * A cache point as OpenRouter takes it for Anthropic's models: on a block of text, so the message's
 * content becomes a list of one block instead of a string.
 * https://openrouter.ai/docs/features/prompt-caching
 *
 * Answers and messages with images get none: the next point caches them too.
 */
export function openRouterCachePoint(
  message: LanguageModelV4Message,
  { model }: Pick<RequestWishes, 'model'>,
): LanguageModelV4Message {
  if (!model.startsWith('anthropic/')) return message;
  if (message.role === 'system') return { ...message, providerOptions: pointAfter(message.content) };
  if (message.role === 'user') {
    const [part, ...others] = message.content;
    if (part?.type !== 'text' || others.length > 0) return message;
    return { ...message, content: [{ ...part, providerOptions: pointAfter(part.text) }] };
  }
  if (message.role === 'tool') {
    const last = message.content.at(-1);
    if (last?.type !== 'tool-result' || !('value' in last.output)) return message;
    if (typeof last.output.value !== 'string') return message;
    const point = { ...last, providerOptions: pointAfter(last.output.value) };
    return { ...message, content: [...message.content.slice(0, -1), point] };
  }
  return message;
}

function pointAfter(text: string) {
  return { [MESSAGE_FIELDS]: { content: [{ type: 'text', text, ...POINT }] } };
}
