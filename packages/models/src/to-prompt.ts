import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { ModelCall } from '@bulkhead/protocol';
import type {
  AssistantMessage,
  AssistantPart,
  Message,
  ToolCall,
  ToolMessage,
} from '@bulkhead/protocol/chat';
import { isJsonObject, parseJsonObject } from './json-object.ts';
import type { ProviderAdapter } from './provider-adapter.ts';

type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];
type ProviderForm = Pick<ProviderAdapter, 'metadataKey' | 'callArguments'>;

/** Our conversation in the words of the AI SDK's model specification (v4). Messages without content are left out. */
export function toPrompt(
  call: Pick<ModelCall, 'system' | 'messages'>,
  form: ProviderForm,
): LanguageModelV4Prompt {
  const system: LanguageModelV4Prompt = call.system === '' ? [] : [{ role: 'system', content: call.system }];
  return [...system, ...call.messages.flatMap((message) => toPromptMessage(message, form))];
}

function toPromptMessage(message: Message, form: ProviderForm): LanguageModelV4Message[] {
  switch (message.role.case) {
    case 'user':
      return [{ role: 'user', content: [{ type: 'text', text: message.role.value.text }] }];
    case 'assistant':
      return toAssistantMessage(message.role.value, form);
    case 'tool':
      return [{ role: 'tool', content: [toToolResult(message.role.value)] }];
    case undefined:
      return [];
  }
}

function toAssistantMessage(message: AssistantMessage, form: ProviderForm): LanguageModelV4Message[] {
  const content = message.parts.flatMap((part) => toAssistantContent(part, form));
  return content.length === 0 ? [] : [{ role: 'assistant', content }];
}

function toAssistantContent(part: AssistantPart, form: ProviderForm): AssistantContent {
  const options = providerOptionsOf(part, form.metadataKey);
  switch (part.part.case) {
    case 'text':
      return part.part.value.text === '' ? [] : [{ type: 'text', text: part.part.value.text, ...options }];
    case 'thinking':
      return [{ type: 'reasoning', text: part.part.value.text, ...options }];
    case 'toolCall': {
      const call = part.part.value;
      const input = toInput(call, form.callArguments);
      return [{ type: 'tool-call', toolCallId: call.callId, toolName: call.name, input, ...options }];
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
): Extract<LanguageModelV4Message, { role: 'tool' }>['content'][number] {
  return {
    type: 'tool-result',
    toolCallId: message.callId,
    toolName: message.name,
    output: { type: message.isError ? 'error-text' : 'text', value: message.text },
  };
}

/** What another provider left on the part is not sent: it could not be read there. */
function providerOptionsOf(part: AssistantPart, key: string): { providerOptions?: SharedV4ProviderOptions } {
  if (part.providerJson === '') return {};
  const own = parseJsonObject(part.providerJson)?.[key];
  return isJsonObject(own) ? { providerOptions: { [key]: own } } : {};
}
