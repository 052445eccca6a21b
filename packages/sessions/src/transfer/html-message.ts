import type {
  AssistantMessage,
  Image,
  Message,
  ToolCall,
  ToolMessage,
  UserMessage,
} from '@bulkhead/protocol/chat';
import { escapeHtml } from './escape-html.ts';
import { diffHtml } from './html-diff.ts';
import { folded, openError, paragraph, preformatted } from './html-parts.ts';
import { readableArguments } from './readable-arguments.ts';

/** Image types that a browser may decode; others are named, not shown. */
const IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Characters of a call's argument beside the tool's name. */
const MAX_BRIEF = 80;

/**
 * The inside of one message's element.
 * @param display of a result: the user's view of a change
 */
export function messageHtml(message: Message, display: string | undefined): string {
  switch (message.role.case) {
    case 'user':
      return userHtml(message.role.value);
    case 'assistant':
      return assistantHtml(message.role.value);
    case 'tool':
      return resultHtml(message.role.value, display);
    default:
      return '';
  }
}

function userHtml({ text, images, attachments }: UserMessage): string {
  const files = attachments.map((file) => folded(`File ${file.name}`, preformatted(file.text)));
  return `${paragraph(text)}${images.map(imageHtml).join('')}${files.join('')}`;
}

function assistantHtml({ parts }: AssistantMessage): string {
  return parts
    .map(({ part }) => {
      if (part.case === 'text') return paragraph(part.value.text);
      if (part.case === 'thinking') return folded('Thinking', preformatted(part.value.text));
      if (part.case === 'toolCall') return callHtml(part.value);
      return '';
    })
    .join('');
}

function callHtml({ name, argumentsJson }: ToolCall): string {
  const blocks = readableArguments(argumentsJson);
  const [brief = ''] = (blocks[0]?.label === '' ? blocks[0].text : '').split('\n');
  const end = brief.length > MAX_BRIEF ? `${brief.slice(0, MAX_BRIEF)}…` : brief;
  const inside = blocks.map(({ label, text }) => `${labelHtml(label)}${preformatted(text)}`).join('');
  return folded(end === '' ? `Call of ${name}` : `Call of ${name} · ${end}`, inside);
}

function labelHtml(label: string): string {
  return label === '' ? '' : `<div class="label">${escapeHtml(label)}</div>`;
}

function resultHtml({ name, text, isError }: ToolMessage, display: unknown): string {
  const change = typeof display === 'string' && display !== '' ? diffHtml(display) : '';
  const inside = `${preformatted(text)}${change}`;
  return isError ? openError(`Error of ${name}`, inside) : folded(`Result of ${name}`, inside);
}

function imageHtml({ mediaType, data }: Image): string {
  if (!IMAGE_TYPES.includes(mediaType)) return paragraph(`[an image of type ${mediaType}]`);
  return `<img alt="image" src="data:${mediaType};base64,${Buffer.from(data).toString('base64')}">`;
}
