import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { ProviderAdapter, RequestWishes } from '../provider-adapter.ts';
import { toReasoning } from '../thinking.ts';
import { collectReasoningDetails, OPENROUTER } from './reasoning-details.ts';

const POINT = { cache_control: { type: 'ephemeral' } } as const;

/**
 * A cache point as OpenRouter takes it for Anthropic's models: on a block of text, so the message's
 * content becomes a list of one block instead of a string.
 * https://openrouter.ai/docs/features/prompt-caching
 *
 * Answers and messages with images get none: the next point caches them too.
 */
function openRouterCachePoint(
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

/**
 * OpenRouter: chat completions, with its own form for requesting and returning thinking.
 * https://openrouter.ai/docs/use-cases/reasoning-tokens
 */
export const openRouterAdapter: ProviderAdapter = {
  metadataKey: OPENROUTER,
  callArguments: 'json-text',
  callIds: 'any',
  streamType: 'event-stream',
  keepsFinishMetadata: true,
  cachePoint: openRouterCachePoint,
  createLanguageModel: ({ model, baseUrl, apiKey, fetch }) =>
    createOpenAICompatible({
      name: OPENROUTER,
      baseURL: baseUrl,
      includeUsage: true,
      headers: { 'X-Title': 'Bulkhead' },
      metadataExtractor: collectReasoningDetails,
      fetch,
      ...(apiKey === undefined ? {} : { apiKey }),
    }).chatModel(model),
  prepare: (options, { thinking }) => ({
    ...options,
    prompt: returnReasoningDetails(options.prompt),
    ...(thinking === undefined
      ? {}
      : { providerOptions: { [OPENROUTER]: { reasoning: { effort: toReasoning(thinking) } } } }),
  }),
};

type AssistantMessage = Extract<LanguageModelV4Message, { role: 'assistant' }>;

/** Key under which the chat completions package adds fields to a message. */
const MESSAGE_FIELDS = 'openaiCompatible';

/** Puts `reasoning_details` where OpenRouter reads them, instead of the thinking's text. */
function returnReasoningDetails(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  return prompt.map((message) => (message.role === 'assistant' ? withDetails(message) : message));
}

function withDetails(message: AssistantMessage): AssistantMessage {
  const details = message.content.map(detailsOf).find((found) => found !== undefined);
  if (details === undefined) return message;
  return {
    ...message,
    content: message.content.filter((part) => part.type !== 'reasoning'),
    providerOptions: { [MESSAGE_FIELDS]: { reasoning_details: details } },
  };
}

function detailsOf(part: AssistantMessage['content'][number]): SharedV4ProviderOptions[string][string] {
  return part.type === 'reasoning' ? part.providerOptions?.[OPENROUTER]?.['reasoning_details'] : undefined;
}
