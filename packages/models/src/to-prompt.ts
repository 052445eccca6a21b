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
  /** The model of the request: it does not receive another one's data. */
  readonly model: string;
  /** Sets a cache point; absent if the provider has none. */
  readonly cachePoint?: ((message: LanguageModelV4Message) => LanguageModelV4Message) | undefined;
}

/**
 * Our conversation in the words of the AI SDK's model specification (v4). Messages without content
 * are left out. The turn part comes last, as a user message: after every cache point, because it
 * changes with each call [C5].
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

/**
 * The results of one round in one message: a provider may refuse a turn that answers only some of
 * its calls.
 */
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

/** Images precede the text that mentions them. */
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

/**
 * Another model's data on a part is not sent, and its thinking not at all, because this model could
 * not read it.
 */
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
 * Valid text is sent back byte for byte if the provider accepts text, so that a server's prefix
 * cache matches. If it accepts objects only, invalid text is wrapped: the model sees its own
 * output.
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
