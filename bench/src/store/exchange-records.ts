import type { NewRecord } from '@bulkhead/sessions';

const WORDS = 'the store keeps every record of a session in one table and never changes what was written ';
const NO_TOKENS = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 };

/** A message and its answer, as records of a log. */
export interface StoredExchange {
  readonly records: readonly NewRecord[];
  /** Id of the answer's entry. */
  readonly leaf: string;
}

/**
 * The engine's records of one exchange, without those that only show clients the progress.
 *
 * @param name of the exchange; no other of the session has it
 * @param parent entry it follows; null for the first
 * @param time milliseconds since the epoch
 * @param length of each of the two messages, characters
 */
export function exchangeRecords(
  name: string,
  parent: string | null,
  { time, length }: { readonly time: number; readonly length: number },
): StoredExchange {
  const [messageId, question, answer] = [`${name}-m`, `${name}-q`, `${name}-a`];
  const asked = textOf(name, length);
  const base = { time, turn: name };
  const seen = { ...base, visible: true };
  const options = { approve: 'deny', model: '', baseUrl: '', maxRounds: 0, dryRun: false } as const;
  const inputBody = { content: asked, images: [], delivery: 'follow_up', options } as const;
  const said = { role: 'assistant', usage: NO_TOKENS, cost: null, stopReason: 'stop' } as const;
  const end = { message: messageId, outcome: 'completed', answer: '', usage: NO_TOKENS } as const;
  const call = {
    purpose: 'chat',
    model: 'vendor/model',
    ok: true,
    ...NO_TOKENS,
    cost: 0.01,
    estimated: false,
  };
  const records: readonly NewRecord[] = [
    { ...base, turn: '', type: 'input_accepted', visible: false, messageId, body: inputBody },
    { ...seen, type: 'agent_start', body: { message: messageId } },
    {
      ...seen,
      type: 'message_end',
      entry: { id: question, parent },
      body: { role: 'user', usage: NO_TOKENS, message: { user: { text: asked } } },
    },
    {
      ...seen,
      type: 'message_end',
      entry: { id: answer, parent: question },
      body: { ...said, message: { assistant: { parts: [{ text: { text: textOf(answer, length) } }] } } },
    },
    { ...base, type: 'model_call', visible: false, body: call },
    { ...seen, type: 'settled', messageId, body: { ...end, cost: null, rounds: 1 } },
  ];
  return { records, leaf: answer };
}

/** Words, the first of them no other message has. */
function textOf(name: string, length: number): string {
  return `${name} ${WORDS.repeat(Math.ceil(length / WORDS.length))}`.slice(0, length);
}
