import type { LanguageModelV4Message } from '@ai-sdk/provider';
import type { RequestWishes } from '../provider-adapter.ts';
import { MESSAGE_FIELDS } from './return-reasoning-details.ts';

const POINT = { cache_control: { type: 'ephemeral' } } as const;

/**
 * A cache point as OpenRouter takes it for Anthropic's models: on a block of text, so that the message's content, elsewhere one
 * string, is written as a list of one block. https://openrouter.ai/docs/features/prompt-caching
 *
 * Results of tools and messages with images stay without: what stands before the next point is cached with it.
 */
export function openRouterCachePoint(
  message: LanguageModelV4Message,
  { model }: Pick<RequestWishes, 'model'>,
): LanguageModelV4Message {
  const text = model.startsWith('anthropic/') ? onlyText(message) : undefined;
  if (text === undefined) return message;
  const fields = { [MESSAGE_FIELDS]: { content: [{ type: 'text', text, ...POINT }] } };
  if (message.role !== 'user') return { ...message, providerOptions: fields };
  return { ...message, content: [{ type: 'text', text, providerOptions: fields }] };
}

function onlyText(message: LanguageModelV4Message): string | undefined {
  if (message.role === 'system') return message.content;
  const [first, ...rest] = message.role === 'user' ? message.content : [];
  return first?.type === 'text' && rest.length === 0 ? first.text : undefined;
}
