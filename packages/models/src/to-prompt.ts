import { createHash } from 'node:crypto';
import type { JSONObject, LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { ModelCall } from '@bulkhead/protocol';
import type {
  AssistantMessage,
  AssistantPart,
  Message,
  ToolCall,
  ToolMessage,
  UserMessage,
} from '@bulkhead/protocol/chat';
import { isJsonObject, parseJsonObject } from './json-object.ts';
import type { ProviderAdapter } from './provider-adapter.ts';

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

/**
 * Sets three cache points, of the four that Anthropic allows: after the system part, at the end of
 * the last request, and at the end. The last request wrote to the cache at the middle one; it is
 * needed because providers look back only some blocks from a point, and a batch of calls may be
 * longer.
 *
 * @param prompt without the turn part
 * @param set undefined changes nothing
 */
function withCachePoints(
  prompt: LanguageModelV4Prompt,
  set: ((message: LanguageModelV4Message) => LanguageModelV4Message) | undefined,
): LanguageModelV4Prompt {
  if (set === undefined) return prompt;
  const answer = prompt.findLastIndex(({ role }) => role === 'assistant');
  const points = new Set([
    prompt.findIndex(({ role }) => role === 'system'),
    prompt.slice(0, Math.max(0, answer)).findLastIndex(({ role }) => role === 'user' || role === 'tool'),
    prompt.length - 1,
  ]);
  return prompt.map((message, at) => (points.has(at) ? set(message) : message));
}

interface PartData {
  /** Data that this same model left on the part. */
  readonly own: JSONObject | undefined;
  /** True if another provider or model wrote the part. */
  readonly isForeign: boolean;
}

/**
 * Reads `AssistantPart.providerJson`: `{[metadataKey]: data, model}`. A part without data was
 * written where nothing is kept, and every model may have it.
 */
export function readPartData(
  providerJson: string,
  asked: { readonly metadataKey: string; readonly model: string },
): PartData {
  if (providerJson === '') return { own: undefined, isForeign: false };
  const data = parseJsonObject(providerJson) ?? {};
  const own = Object.hasOwn(data, asked.metadataKey) ? data[asked.metadataKey] : undefined;
  const writer = data['model'];
  if (!isJsonObject(own) || (typeof writer === 'string' && writer !== asked.model)) {
    return { own: undefined, isForeign: true };
  }
  return { own: Object.keys(own).length === 0 ? undefined : own, isForeign: false };
}

const PLAIN = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The id of a call in a form the provider accepts. If it refuses another provider's id, a plain one
 * replaces it, always the same for the same id, so that call and result still match.
 */
export function wireCallId(id: string, form: 'any' | 'plain'): string {
  if (form === 'any' || PLAIN.test(id)) return id;
  return `call_${createHash('sha256').update(id).digest('hex').slice(0, 24)}`;
}
