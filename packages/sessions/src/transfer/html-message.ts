import type {
  AssistantMessage,
  Image,
  Message,
  ToolCall,
  ToolMessage,
  UserMessage,
} from '@bulkhead/protocol/chat';
import { escapeHtml } from './escape-html.ts';
import { folded, openError, paragraph, pre, preformatted } from './html-parts.ts';

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

/**
 * A tool's description of its change for the user: a unified diff with marked lines, anything else
 * unchanged.
 */
function diffHtml(display: string): string {
  const text = display.replace(/\n$/, '');
  const lines = text.split('\n');
  // Before the first hunk, + and - begin the names of files.
  const start = lines.findIndex((line) => line.startsWith('@@ '));
  if (start < 0) return pre(escapeHtml(text));
  return pre(lines.map((line, place) => (place < start ? escapeHtml(line) : lineHtml(line))).join('\n'));
}

function lineHtml(line: string): string {
  const text = escapeHtml(line);
  if (line.startsWith('+')) return `<ins>${text}</ins>`;
  return line.startsWith('-') ? `<del>${text}</del>` : text;
}

/** A part of a call's arguments in a readable form. */
interface ArgumentBlock {
  /** Name of the argument; empty if the text needs none. */
  readonly label: string;
  readonly text: string;
}

/**
 * The arguments of a tool call: a command as a command, texts of several lines as such, everything
 * else pretty-printed.
 *
 * @param json as the model wrote it; anything but a JSON object is shown unchanged
 */
export function readableArguments(json: string): readonly ArgumentBlock[] {
  const fields = fieldsOf(json);
  if (fields === undefined) return [{ label: '', text: json }];
  const command = fields.filter(isCommand).map(([, text]) => ({ label: '', text: `$ ${String(text)}` }));
  const texts = fields.filter(isText).map(([label, text]) => ({ label, text: String(text) }));
  const others = fields.filter((field) => !isCommand(field) && !isText(field));
  try {
    const lines = others.map(([name, value]) => `${name}: ${plain(value)}`).join('\n');
    return [...command, ...(lines === '' ? [] : [{ label: '', text: lines }]), ...texts];
  } catch {
    // Nested too deep to be formatted.
    return [{ label: '', text: json }];
  }
}

type Field = readonly [name: string, value: unknown];

function fieldsOf(json: string): readonly Field[] | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? Object.entries(value) : undefined;
  } catch {
    return undefined;
  }
}

function isCommand([name, value]: Field): boolean {
  return name === 'command' && typeof value === 'string';
}

/** File content is a text even if it has one line. */
function isText([name, value]: Field): boolean {
  if (name === 'command' || typeof value !== 'string') return false;
  return ['content', 'old_text', 'new_text'].includes(name) || value.includes('\n');
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
