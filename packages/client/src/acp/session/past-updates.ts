import type { SessionUpdate, ToolCall, ToolCallContent } from '@agentclientprotocol/sdk';
import type { SessionEvent } from '@bulkhead/protocol';
import type { BranchEntry } from '@bulkhead/protocol/client';
import { branchEvents } from '@bulkhead/protocol/transcript';
import { fieldsOf, textContent, toolCard } from '../updates/tool-card.ts';

/**
 * A conversation from its root to its current entry, for showing it to an editor again. Excludes
 * abandoned branches and includes the part a fork shares with its origin.
 */
export class PastUpdates {
  readonly #folder: string;
  /** By the model's name of a call: the last call of that name, as it was shown. */
  readonly #calls = new Map<string, PastCall>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  of(entry: BranchEntry): SessionUpdate[] {
    return branchEvents(entry).flatMap((event) => this.#update(entry.entryId, event));
  }

  #update(entryId: string, event: SessionEvent): SessionUpdate[] {
    switch (event.type) {
      case 'message_end':
        return [
          ...chunk('agent_thought_chunk', event.thinking ?? '', entryId),
          ...chunk(event.role === 'user' ? 'user_message_chunk' : 'agent_message_chunk', event.text, entryId),
        ];
      case 'tool_call': {
        const call = pastCall(`${entryId}:${event.call}`, event, this.#folder);
        this.#calls.set(event.call, call);
        return [{ sessionUpdate: 'tool_call', ...call }];
      }
      case 'tool_output':
        return this.#result(event);
      default:
        return [];
    }
  }

  #result({ call, text, isError }: Extract<SessionEvent, { type: 'tool_output' }>): SessionUpdate[] {
    const asked = this.#calls.get(call);
    if (asked === undefined) return [];
    const content = [...(isError ? [] : asked.content), ...textContent(text)];
    const status = isError ? 'failed' : 'completed';
    return [{ sessionUpdate: 'tool_call_update', toolCallId: asked.toolCallId, status, content }];
  }
}

/** Empty for empty input. */
function chunk(
  sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk',
  text: string,
  messageId: string,
): SessionUpdate[] {
  return text === '' ? [] : [{ sessionUpdate, content: { type: 'text', text }, messageId }];
}

/** A past call as requested; its result follows. */
type PastCall = ToolCall & { readonly content: ToolCallContent[] };

/** @param id its id for the editor */
function pastCall(
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
