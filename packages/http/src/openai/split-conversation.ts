import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { clientToolName } from '@bulkhead/protocol';
import { type Message, MessageSchema } from '@bulkhead/protocol/chat';
import { invalidRequest } from './api-error.ts';
import type { ConversationItem, ImageInit, ToldResult } from './conversation-item.ts';

/**
 * Precedes the calling program's system text: that text speaks for the program and never has the
 * rank of our own.
 */
const INSTRUCTIONS = 'The program through which this conversation comes says how it wants to be answered:';

/** A request split into the parts that a session takes. */
export interface SplitConversation {
  /** All messages before the last one of the user. */
  readonly history: readonly Message[];
  /** The last message of the user; undefined if the request ends with results. */
  readonly prompt: { readonly text: string; readonly images: readonly ImageInit[] } | undefined;
  /** Results at the end of the request. */
  readonly results: readonly ToldResult[];
}

/**
 * Splits the conversation of a request. The program's system texts, from any position, open the
 * history as the program's own words.
 *
 * @throws BulkheadError `usage` (400) if no message or result waits for an answer
 */
export function splitConversation(items: readonly ConversationItem[], param: string): SplitConversation {
  const instructions = items.flatMap((item) =>
    item.kind === 'instructions' && item.text !== '' ? [item.text] : [],
  );
  const said = items.filter((item) => item.kind !== 'instructions');
  const last = said.findLastIndex(({ kind }) => kind === 'assistant');
  const open = said.slice(last + 1);
  const words = open.filter((item) => item.kind === 'user');
  const results = open.filter((item) => item.kind === 'result');
  if (open.length === 0)
    throw invalidRequest('the last message must be of the user, or a result of a tool', param);
  const before = said.slice(0, words.length === 0 ? undefined : last + 1);
  const late = words.length > 0 ? results : [];
  const head =
    instructions.length === 0 ? [] : [userInit(`${INSTRUCTIONS}\n\n${instructions.join('\n\n')}`, [])];
  return {
    history: [...head, ...historyOf([...before, ...late])].map((init) => create(MessageSchema, init)),
    prompt: words.length === 0 ? undefined : joined(words),
    results,
  };
}

type MessageInit = MessageInitShape<typeof MessageSchema>;
type Part = {
  readonly part:
    | { case: 'text'; value: { text: string } }
    | { case: 'toolCall'; value: { callId: string; name: string; argumentsJson: string } };
};

function joined(words: readonly Extract<ConversationItem, { kind: 'user' }>[]) {
  return { text: words.map(({ text }) => text).join('\n\n'), images: words.flatMap(({ images }) => images) };
}

/**
 * Converts to messages that a model accepts: consecutive assistant items become one message; a
 * result follows its call, or becomes text.
 */
function historyOf(items: readonly ConversationItem[]): readonly MessageInit[] {
  const history: MessageInit[] = [];
  /** Parts of the assistant's message that is still open. */
  let parts: Part[] | undefined;
  /** Calls without a result, with the tool names for the model. */
  let open = new Map<string, string>();
  for (const item of items) {
    if (item.kind === 'assistant') {
      if (parts === undefined) {
        parts = [];
        open = new Map();
        history.push({ role: { case: 'assistant', value: { parts } } });
      }
      parts.push(...partsOf(item));
      for (const { id, name } of item.calls) open.set(id, clientToolName(name));
      continue;
    }
    parts = undefined;
    if (item.kind === 'user') history.push(userInit(item.text, item.images));
    if (item.kind === 'result') history.push(resultInit(item, open));
  }
  return history.filter(({ role }) => role?.case !== 'assistant' || (role.value.parts ?? []).length > 0);
}

function resultInit({ id, text }: ToldResult, open: Map<string, string>): MessageInit {
  const name = open.get(id);
  if (name === undefined) return userInit(`The call ${id} gave:\n${text}`, []);
  open.delete(id);
  return { role: { case: 'tool', value: { callId: id, name, text } } };
}

function partsOf({ text, calls }: Extract<ConversationItem, { kind: 'assistant' }>): readonly Part[] {
  const said = text === '' ? [] : [{ part: { case: 'text' as const, value: { text } } }];
  return [
    ...said,
    ...calls.map(({ id, name, argumentsJson }) => ({
      part: { case: 'toolCall' as const, value: { callId: id, name: clientToolName(name), argumentsJson } },
    })),
  ];
}

function userInit(text: string, images: readonly ImageInit[]): MessageInit {
  return { role: { case: 'user', value: { text, images: [...images] } } };
}
