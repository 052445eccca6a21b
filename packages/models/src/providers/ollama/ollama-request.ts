import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from '@ai-sdk/provider';
import type { ProviderConnection } from '../../provider-adapter.ts';

/**
 * The body of a `/api/chat` request. The settings give the context size, since the server's default
 * is a few thousand tokens; a prompt that doesn't fit is an error instead of being cut. Ollama has
 * no option against calls: then the tools are left out.
 */
export function ollamaRequest(
  options: LanguageModelV4CallOptions,
  { model, contextWindow }: Pick<ProviderConnection, 'model' | 'contextWindow'>,
): object {
  const tools = options.toolChoice?.type === 'none' ? [] : (options.tools ?? []);
  const { reasoning, maxOutputTokens } = options;
  return {
    model,
    messages: ollamaMessages(options.prompt),
    stream: true,
    truncate: false,
    shift: false,
    ...(tools.length === 0 ? {} : { tools: tools.flatMap(toolOf) }),
    ...(reasoning === undefined ? {} : { think: thinkOf(model, reasoning) }),
    options: {
      num_ctx: contextWindow,
      ...(maxOutputTokens === undefined ? {} : { num_predict: maxOutputTokens }),
    },
  };
}

function toolOf(tool: NonNullable<LanguageModelV4CallOptions['tools']>[number]): object[] {
  if (tool.type !== 'function') return [];
  const { name, description, inputSchema: parameters } = tool;
  return [{ type: 'function', function: { name, description, parameters } }];
}

/**
 * Only gpt-oss has levels; its thinking can't be switched off.
 * https://docs.ollama.com/capabilities/thinking
 */
function thinkOf(
  model: string,
  reasoning: NonNullable<LanguageModelV4CallOptions['reasoning']>,
): boolean | string {
  if (reasoning === 'none') return false;
  return model.includes('gpt-oss') ? reasoning : true;
}

type UserContent = Extract<LanguageModelV4Message, { role: 'user' }>['content'];
type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];
type ToolContent = Extract<LanguageModelV4Message, { role: 'tool' }>['content'];

/** A prompt as the messages of `/api/chat`. */
function ollamaMessages(prompt: LanguageModelV4Prompt): object[] {
  return prompt.flatMap(toMessages);
}

function toMessages(message: LanguageModelV4Message): object[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }];
    case 'user':
      return [userMessage(message.content)];
    case 'assistant':
      return [assistantMessage(message.content)];
    case 'tool':
      return message.content.flatMap(toolMessage);
  }
}

function userMessage(content: UserContent): object {
  const images = content.flatMap((part) =>
    part.type === 'file' && part.data.type === 'data' ? [base64Of(part.data.data)] : [],
  );
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  return { role: 'user', content: text, ...(images.length === 0 ? {} : { images }) };
}

function base64Of(data: string | Uint8Array): string {
  return typeof data === 'string' ? data : Buffer.from(data).toString('base64');
}

function assistantMessage(content: AssistantContent): object {
  const thinking = content.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('');
  const calls = content.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ id: part.toolCallId, function: { name: part.toolName, arguments: part.input } }]
      : [],
  );
  return {
    role: 'assistant',
    content: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
    ...(thinking === '' ? {} : { thinking }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function toolMessage(part: ToolContent[number]): object[] {
  if (part.type !== 'tool-result') return [];
  const { output } = part;
  const text = output.type === 'text' || output.type === 'error-text' ? output.value : '';
  return [{ role: 'tool', content: text, tool_name: part.toolName, tool_call_id: part.toolCallId }];
}
