import type { AssistantMessage, Image, Message, ToolMessage, UserMessage } from '@bulkhead/protocol/chat';
import { escapeHtml } from './escape-html.ts';

/** What a browser may decode; anything else is named, not shown. */
const IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** The inside of one message's element. */
export function messageHtml(message: Message): string {
  switch (message.role.case) {
    case 'user':
      return userHtml(message.role.value);
    case 'assistant':
      return assistantHtml(message.role.value);
    case 'tool':
      return resultHtml(message.role.value);
    default:
      return '';
  }
}

function userHtml({ text, images }: UserMessage): string {
  return `${paragraph(text)}${images.map(imageHtml).join('')}`;
}

function assistantHtml({ parts }: AssistantMessage): string {
  return parts
    .map(({ part }) => {
      if (part.case === 'text') return paragraph(part.value.text);
      if (part.case === 'thinking') return folded('Thinking', part.value.text);
      if (part.case === 'toolCall') return folded(`Call of ${part.value.name}`, part.value.argumentsJson);
      return '';
    })
    .join('');
}

function resultHtml({ name, text, isError }: ToolMessage): string {
  return folded(`${isError ? 'Error' : 'Result'} of ${name}`, text);
}

function imageHtml({ mediaType, data }: Image): string {
  if (!IMAGE_TYPES.includes(mediaType)) return paragraph(`[an image of type ${mediaType}]`);
  return `<img alt="image" src="data:${mediaType};base64,${Buffer.from(data).toString('base64')}">`;
}

function paragraph(text: string): string {
  return text === '' ? '' : `<div class="text" dir="auto">${escapeHtml(text)}</div>`;
}

function folded(title: string, text: string): string {
  return `<details><summary>${escapeHtml(title)}</summary><pre dir="auto">${escapeHtml(text)}</pre></details>`;
}
