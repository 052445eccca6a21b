import type { ToolCall, ToolCallContent } from '@agentclientprotocol/sdk';
import type { SessionEvent } from '@bulkhead/protocol';
import { fieldsOf, toolCard } from './tool-card.ts';

/** A past call as requested; its result follows. */
export type PastCall = ToolCall & { readonly content: ToolCallContent[] };

/** @param id its id for the editor */
export function pastCall(
  id: string,
  { tool, arguments: args }: Extract<SessionEvent, { type: 'tool_call' }>,
  folder: string,
): PastCall {
  const card = toolCard(tool, args, folder);
  const [path] = card.locations;
  const content = path === undefined ? [] : askedChange(tool, args, path.path);
  return { toolCallId: id, status: 'pending', name: tool, rawInput: args, ...card, content };
}

/** The literal change of an `edit`: the conversation does not keep the file's earlier content. */
function askedChange(tool: string, args: unknown, path: string): ToolCallContent[] {
  const fields = fieldsOf(args);
  const oldText = fields.get('old_text');
  const newText = fields.get('new_text');
  if (tool !== 'edit' || typeof oldText !== 'string' || typeof newText !== 'string') return [];
  return [{ type: 'diff', path, oldText, newText }];
}
