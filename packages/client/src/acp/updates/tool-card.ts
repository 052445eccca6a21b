import { isAbsolute, join } from 'node:path';
import type { ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk';
import { codeBlock, inlineCode } from '../content/markdown.ts';

/** The kind of card for each tool. Tools that are not listed are `other`. */
const KINDS: Readonly<Record<string, ToolKind>> = {
  read: 'read',
  ls: 'read',
  result_open: 'read',
  process_output: 'read',
  find: 'search',
  grep: 'search',
  memory_search: 'search',
  web_search: 'search',
  write: 'edit',
  edit: 'edit',
  memory_write: 'edit',
  move: 'move',
  delete: 'delete',
  bash: 'execute',
  web_fetch: 'fetch',
  http_request: 'fetch',
};

/** The most informative arguments of a call. */
const TELLING = ['command', 'path', 'pattern', 'query', 'url', 'name'];

/** A call as first shown to an editor. */
export interface ToolCard {
  readonly title: string;
  readonly kind: ToolKind;
  readonly locations: ToolCallLocation[];
}

/** @param folder base of relative paths in the arguments */
export function toolCard(tool: string, args: unknown, folder: string): ToolCard {
  const fields = fieldsOf(args);
  const telling = TELLING.map((name) => fields.get(name)).find((value) => typeof value === 'string');
  const said = typeof telling === 'string' ? ` ${inlineCode(telling)}` : '';
  return {
    title: `${inlineCode(tool)}${said}`,
    kind: Object.hasOwn(KINDS, tool) ? (KINDS[tool] ?? 'other') : 'other',
    locations: locationsOf(fields, folder),
  };
}

function locationsOf(fields: ReadonlyMap<string, unknown>, folder: string): ToolCallLocation[] {
  const path = fields.get('path');
  if (typeof path !== 'string' || path === '') return [];
  const line = fields.get('offset');
  const place = { path: isAbsolute(path) ? path : join(folder, path) };
  return [typeof line === 'number' && Number.isInteger(line) && line > 0 ? { ...place, line } : place];
}

/** Foreign text as content of a call; empty for empty text. */
export function textContent(text: string): ToolCallContent[] {
  return text.trim() === '' ? [] : [wordsContent(codeBlock(text))];
}

/** Our own Markdown as content of a call. */
export function wordsContent(markdown: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text: markdown } };
}

export function fieldsOf(args: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof args === 'object' && args !== null ? Object.entries(args) : []);
}
