import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';

type UserContent = Extract<LanguageModelV4Message, { role: 'user' }>['content'];
type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];
type ToolContent = Extract<LanguageModelV4Message, { role: 'tool' }>['content'];

/** A prompt as the messages of `/api/chat`. */
export function ollamaMessages(prompt: LanguageModelV4Prompt): object[] {
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
