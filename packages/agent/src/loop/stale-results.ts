import { create } from '@bufbuild/protobuf';
import { type Message, MessageSchema, type ToolCall, type ToolMessage } from '@bulkhead/protocol/chat';
import { contentKind } from './content-kind.ts';
import { LOAD_SKILLS } from './load-skills.ts';
import { callsOf } from './message-parts.ts';

/** A result is stale after this many later messages of the person [K5]. */
const FRESH_MESSAGES = 4;

/** Results up to this size stay, because their line is hardly shorter. In bytes. */
const SMALL = 400;

/**
 * A batch pays if it saves two thirds of the text after its first result, because all of that is
 * read once without the cache, at more than ten times the price; or if it takes so much of the
 * window, or so many bytes, that space matters more than price.
 */
const WORTH_SHARE = 2 / 3;
const WORTH_WINDOW = 0.2;
const WORTH_BYTES = 100_000;

/** Share of the window that the results of one batch may take; and the limit of bytes per token. */
const BATCH_SHARE = 0.4;
const BYTES_PER_TOKEN = 3;

const encoder = new TextEncoder();

/**
 * The same messages with old tool results as one line each, and with giant ones cut. The text of
 * loaded skills stays. Depends only on the messages and the window, and a shortened result stays short: the start of a request
 * changes only when a batch of results pays for it.
 *
 * @param contextWindow tokens; 0 if unknown: then nothing is cut
 */
export function withoutStaleResults(messages: readonly Message[], contextWindow: number): Message[] {
  const facts = factsOf(messages, contextWindow);
  const boundary = staleBefore(messages, facts, worthOf(contextWindow));
  return messages.map((message, at) => {
    const fact = facts[at];
    if (fact === undefined || message.role.case !== 'tool') return message;
    if (at < boundary && fact.saving > 0) return withText(message.role.value, fact.line);
    return fact.most === undefined
      ? message
      : withText(message.role.value, beginning(message.role.value.text, fact));
  });
}

/** Facts about a tool result. */
interface ResultFacts {
  readonly line: string;
  /** Bytes that the line saves; 0 for a result that stays. */
  readonly saving: number;
  /** Limit of its shown bytes; undefined without a limit. */
  readonly most: number | undefined;
}

function factsOf(messages: readonly Message[], contextWindow: number): (ResultFacts | undefined)[] {
  let calls: readonly ToolCall[] = [];
  return messages.map(({ role }) => {
    if (role.case === 'assistant') calls = callsOf(role.value);
    if (role.case !== 'tool') return undefined;
    const { callId, name, text, ownWords } = role.value;
    const bytes = encoder.encode(text).length;
    const share = Math.floor((contextWindow * BATCH_SHARE * BYTES_PER_TOKEN) / Math.max(1, calls.length));
    const most = contextWindow > 0 && bytes > share ? share : undefined;
    // The text of a loaded skill is guidance for the whole session.
    const isSkill = ownWords && name === LOAD_SKILLS;
    if (bytes <= SMALL || isSkill) return { line: '', saving: 0, most };
    const call = calls.find((one) => one.callId === callId);
    const kind = call === undefined ? 'text' : contentKind(call, text);
    const line = `[Summary: Returned ${bytes} bytes (${linesOf(text)}) of ${kindText(kind)}] (${name}; result_open ${callId})`;
    return { line, saving: Math.max(0, bytes - encoder.encode(line).length), most };
  });
}

/** The index before which results are shown as lines. Moves only with a message of the person. */
function staleBefore(
  messages: readonly Message[],
  facts: readonly (ResultFacts | undefined)[],
  worth: number,
): number {
  const said = messages.flatMap(({ role }, at) => (role.case === 'user' ? [at] : []));
  const size = prefixSums(messages.map((message) => Math.min(sizeOf(message), 1_000_000)));
  const saving = prefixSums(facts.map((fact) => fact?.saving ?? 0));
  let boundary = 0;
  for (const [order, now] of said.entries()) {
    const candidate = said[order - FRESH_MESSAGES + 1];
    if (candidate === undefined || candidate <= boundary) continue;
    const saved = between(saving, boundary, candidate);
    if (saved === 0) continue;
    const first = facts.findIndex((fact, at) => at >= boundary && (fact?.saving ?? 0) > 0);
    if (saved >= Math.min(worth, between(size, first, now) * WORTH_SHARE)) boundary = candidate;
  }
  return boundary;
}

/** Number of bytes that justify a batch alone. */
function worthOf(contextWindow: number): number {
  const share = contextWindow * WORTH_WINDOW * BYTES_PER_TOKEN;
  return share > 0 ? Math.min(WORTH_BYTES, share) : WORTH_BYTES;
}

function prefixSums(values: readonly number[]): number[] {
  const sums = [0];
  for (const value of values) sums.push((sums.at(-1) ?? 0) + value);
  return sums;
}

function between(sums: readonly number[], from: number, to: number): number {
  return (sums[to] ?? 0) - (sums[from] ?? 0);
}

function sizeOf({ role }: Message): number {
  if (role.case !== 'assistant') return encoder.encode(role.value?.text ?? '').length;
  return role.value.parts.reduce(
    (sum, { part }) =>
      sum + (part.case === 'toolCall' ? part.value.argumentsJson.length : (part.value?.text.length ?? 0)),
    0,
  );
}

/** `text` reads well after "of"; source is called source code. */
function kindText(kind: string): string {
  return kind.endsWith(' source') ? `${kind} code` : kind;
}

function linesOf(text: string): string {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return lines === 1 ? '1 line' : `${lines} lines`;
}

function beginning(text: string, { most }: ResultFacts): string {
  // There are at least as many bytes as characters, so a cut text never exceeds its limit.
  const all = encoder.encode(text);
  const start = new TextDecoder().decode(all.subarray(0, Math.max(0, (most ?? 0) - 200)));
  return `${start.replace(/\uFFFD$/, '')}\n[Cut: ${all.length} bytes are more than fit. result_open shows the rest, from an offset on.]`;
}

function withText(value: ToolMessage, text: string): Message {
  return create(MessageSchema, { role: { case: 'tool', value: { ...value, text } } });
}
