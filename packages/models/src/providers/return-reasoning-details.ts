import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import { OPENROUTER } from './reasoning-details.ts';

type AssistantMessage = Extract<LanguageModelV4Message, { role: 'assistant' }>;

/** Key under which the chat completions package adds fields to a message. */
export const MESSAGE_FIELDS = 'openaiCompatible';

/** Puts `reasoning_details` where OpenRouter reads them, instead of the thinking's text. */
export function returnReasoningDetails(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
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
