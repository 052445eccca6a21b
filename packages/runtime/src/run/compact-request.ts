import { create } from '@bufbuild/protobuf';
import type { CompactRequest } from '@bulkhead/agent';
import type { Compactable } from '@bulkhead/log/session/compactable';
import { type Message, MessageSchema } from '@bulkhead/protocol/chat';
import type { CompactionWishes } from './compactor.ts';

/** The sent part of one text, in characters: a summary needs only its beginning and end. */
const MAX_TEXT = 24_000;
/** Tokens of an answer that summarises. */
const OUTPUT_TOKENS = 4_096;
/** The window supposed of a model that there is not. */
const USUAL_WINDOW = 32_000;

/**
 * @param how.keep share of the budget that is kept as it is
 * @param how.tokens of each message
 * @param how.window tokens of the model that summarises; 0 without one
 */
export function compactRequest(
  { messages, earlierSummary, rules }: Compactable,
  wishes: CompactionWishes,
  how: {
    readonly keep: number;
    readonly tokens: readonly number[];
    readonly window: number;
    readonly facts: boolean;
  },
): CompactRequest {
  const tokens = asCounted(how.tokens, wishes.counted);
  const all = tokens.reduce((sum, each) => sum + each, 0);
  const window = how.window || USUAL_WINDOW;
  const outputTokens = Math.min(OUTPUT_TOKENS, Math.floor(window / 4));
  return {
    history: messages.map(cut),
    instructions: wishes.instructions,
    earlierSummary,
    keepTokens: Math.floor(how.keep * Math.min(all, wishes.budget)),
    messageTokens: tokens,
    ownMessages: [...wishes.ownMessages],
    facts: how.facts,
    inputTokens: window - outputTokens,
    outputTokens,
    pinned: [...rules],
  };
}

/** Tokens of each message: together as many as a provider counted, if one has [K6]. */
function asCounted(estimates: readonly number[], counted: number): number[] {
  const sum = estimates.reduce((total, tokens) => total + tokens, 0);
  // The count includes a summary and more: never less than half or more than twice the size of the
  // texts.
  const share = counted > 0 && sum > 0 ? Math.min(2, Math.max(0.5, counted / sum)) : 1;
  return estimates.map((tokens) => Math.ceil(tokens * share));
}

/** A message as it is sent to be summarised: without the bytes of images, giant texts by beginning and end. */
function cut(message: Message): Message {
  const { role } = message;
  if (role.case === 'tool') {
    if (role.value.text.length <= MAX_TEXT) return message;
    const value = { ...role.value, text: ends(role.value.text) };
    return create(MessageSchema, { role: { case: 'tool', value } });
  }
  if (role.case === 'user' && role.value.images.length + role.value.attachments.length > 0) {
    const { text } = role.value;
    const images = role.value.images.map(({ mediaType }) => ({ mediaType }));
    const attachments = role.value.attachments.map((file) => ({ name: file.name, text: ends(file.text) }));
    return create(MessageSchema, { role: { case: 'user', value: { text, images, attachments } } });
  }
  return message;
}

function ends(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  return `${text.slice(0, MAX_TEXT / 2)}\n[… ${text.length - MAX_TEXT} characters …]\n${text.slice(-MAX_TEXT / 2)}`;
}
