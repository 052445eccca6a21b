import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { ModelCall } from '@bulkhead/protocol';
import type {
  AssistantMessage,
  AssistantPart,
  Message,
  ToolCall,
  ToolMessage,
  UserMessage,
} from '@bulkhead/protocol/chat';
import { withCachePoints } from './cache-points.ts';
import { parseJsonObject } from './json-object.ts';
import { readPartData } from './part-data.ts';
import type { ProviderAdapter } from './provider-adapter.ts';
import { wireCallId } from './wire-call-id.ts';

type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];
type UserContent = Extract<LanguageModelV4Message, { role: 'user' }>['content'];

export interface ProviderForm extends Pick<ProviderAdapter, 'metadataKey' | 'callArguments' | 'callIds'> {
  /** The model that is asked: data that another one left is not for it. */
  readonly model: string;
  /** Sets a cache point; absent where the provider has none. */
  readonly cachePoint?: ((message: LanguageModelV4Message) => LanguageModelV4Message) | undefined;
}

/**
 * Our conversation in the words of the AI SDK's model specification (v4). Messages without content are left out. The turn part
 * comes last, as a message of the person's role: behind every cache point, since the next call has another one [C5].
 */
export function toPrompt(
  call: Pick<ModelCall, 'system' | 'messages' | 'tail'>,
  form: ProviderForm,
): LanguageModelV4Prompt {
  const system: LanguageModelV4Prompt = call.system === '' ? [] : [{ role: 'system', content: call.system }];
  const kept = [
    ...system,
    ...joinResults(call.messages.flatMap((message) => toPromptMessage(message, form))),
  ];
  const tail: LanguageModelV4Prompt = call.tail
    ? [{ role: 'user', content: [{ type: 'text', text: call.tail }] }]
    : [];
  return [...withCachePoints(kept, form.cachePoint), ...tail];
}

/** The results of one round in one message: a provider may refuse a turn that answers only some of its calls. */
function joinResults(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const joined: LanguageModelV4Prompt = [];
  for (const message of prompt) {
    const last = joined.at(-1);
    if (message.role === 'tool' && last?.role === 'tool') last.content.push(...message.content);
    else joined.push(message);
  }
  return joined;
}

function toPromptMessage(message: Message, form: ProviderForm): LanguageModelV4Message[] {
  switch (message.role.case) {
    case 'user':
      return [{ role: 'user', content: toUserContent(message.role.value) }];
    case 'assistant':
      return toAssistantMessage(message.role.value, form);
    case 'tool':
      return [{ role: 'tool', content: [toToolResult(message.role.value, form)] }];
    case undefined:
      return [];
  }
}

/** Images stand before the text that speaks of them. */
function toUserContent({ text, images }: UserMessage): UserContent {
  const files = images.map(({ mediaType, data }) => ({
    type: 'file' as const,
    mediaType,
    data: { type: 'data' as const, data },
  }));
  return text === '' && files.length > 0 ? files : [...files, { type: 'text', text }];
}

function toAssistantMessage(message: AssistantMessage, form: ProviderForm): LanguageModelV4Message[] {
  const content = message.parts.flatMap((part) => toAssistantContent(part, form));
  return content.length === 0 ? [] : [{ role: 'assistant', content }];
}

/** What another model left on a part is not sent, and its thinking not at all: it could not be read there. */
function toAssistantContent(part: AssistantPart, form: ProviderForm): AssistantContent {
  const { own, isForeign } = readPartData(part.providerJson, form);
  const options = own === undefined ? {} : { providerOptions: { [form.metadataKey]: own } };
  switch (part.part.case) {
    case 'text':
      return part.part.value.text === '' && own === undefined
        ? []
        : [{ type: 'text', text: part.part.value.text, ...options }];
    case 'thinking':
      return isForeign ? [] : [{ type: 'reasoning', text: part.part.value.text, ...options }];
    case 'toolCall': {
      const call = part.part.value;
      const toolCallId = wireCallId(call.callId, form.callIds);
      const input = toInput(call, form.callArguments);
      return [{ type: 'tool-call', toolCallId, toolName: call.name, input, ...options }];
    }
    case undefined:
      return [];
  }
}

/**
 * Text that parses goes back byte for byte where the provider takes text, so that a server's prefix
 * cache holds. Where it takes objects only, text that is none is wrapped: the model sees what it wrote.
 */
function toInput(call: ToolCall, form: ProviderForm['callArguments']): unknown {
  if (form === 'json-text') return call.argumentsJson === '' ? '{}' : call.argumentsJson;
  if (call.argumentsJson === '') return {};
  return parseJsonObject(call.argumentsJson) ?? { invalid_arguments: call.argumentsJson };
}

function toToolResult(
  message: ToolMessage,
  form: ProviderForm,
): Extract<LanguageModelV4Message, { role: 'tool' }>['content'][number] {
  return {
    type: 'tool-result',
    toolCallId: wireCallId(message.callId, form.callIds),
    toolName: message.name,
    output: { type: message.isError ? 'error-text' : 'text', value: message.text },
  };
}
