import type { EventBody, SessionEvent } from '@bulkhead/protocol';
import { expect, it } from 'vitest';
import { grammarProblems } from './event-grammar.ts';

const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0 };

const RUN: readonly EventBody[] = [
  { type: 'agent_start', message: 'm' },
  { type: 'message_start', role: 'user' },
  { type: 'message_end', role: 'user', text: 'go' },
  { type: 'turn_start', round: 1, model: 'p/m' },
  { type: 'message_start', role: 'assistant' },
  { type: 'text_delta', text: 'I ' },
  { type: 'text_delta', text: 'ask' },
  { type: 'message_end', role: 'assistant', text: 'I ask', stopReason: 'tool_calls' },
  { type: 'tool_call', call: 'c', tool: 'bash', arguments: {} },
  { type: 'action_started', action: 'a', call: 'c', tool: 'bash', hash: 'h' },
  { type: 'shield_verdict', action: 'a', hash: 'h', decision: 'escalate', tier: 0, rule: 'r', reason: '' },
  {
    type: 'approval_requested',
    approval: 'q',
    action: 'a',
    hash: 'h',
    tool: 'bash',
    shown: '',
    reason: '',
    expires: '',
  },
  { type: 'approval_decided', approval: 'q', action: 'a', hash: 'h', decision: 'allow', by: 'person' },
  { type: 'action_completed', action: 'a', call: 'c', hash: 'h', success: true, summary: '' },
  { type: 'tool_output', call: 'c', tool: 'bash', text: '', isError: false },
  { type: 'turn_end', round: 1, usage, stopReason: 'tool_calls' },
  { type: 'turn_start', round: 2, model: 'p/m' },
  { type: 'message_start', role: 'assistant' },
  { type: 'thinking_delta', text: 'hm' },
  { type: 'message_end', role: 'assistant', text: '', thinking: 'hm', stopReason: 'stop' },
  { type: 'turn_end', round: 2, usage, stopReason: 'stop' },
  { type: 'response_complete', text: '', thoughts: [], usage, cost: null },
  { type: 'save_point' },
  { type: 'agent_end', message: 'm' },
  { type: 'settled', message: 'm', outcome: 'completed', answer: '', usage, cost: null, rounds: 2 },
  { type: 'idle' },
];

const EPHEMERAL: ReadonlySet<string> = new Set(['text_delta', 'thinking_delta', 'tool_delta']);

/** Numbered as the engine numbers them, so that only their order and content can be wrong. */
function numbered(bodies: readonly EventBody[]): SessionEvent[] {
  let seq = 0;
  return bodies.map((body) => {
    const ephemeral = EPHEMERAL.has(body.type);
    const next = seq + 1;
    if (!ephemeral) seq = next;
    const turn = body.type === 'idle' ? '' : 'run';
    const head = { seq: next, time: '2026-01-01T00:00:00.000Z', session: 's', turn };
    return ephemeral ? { ...head, ...body, ephemeral: true } : { ...head, ...body };
  });
}

it('accepts a run that is in order', () => {
  expect(grammarProblems(numbered(RUN))).toEqual([]);
});

it('sees every event that is missing', () => {
  const missed = RUN.filter((_, index) => grammarProblems(numbered(RUN.toSpliced(index, 1))).length === 0);
  expect(missed.map(({ type }) => type)).toEqual([]);
});

it('sees every event that comes twice', () => {
  const missed = RUN.filter(
    (body, index) => grammarProblems(numbered(RUN.toSpliced(index, 0, body))).length === 0,
  );
  // Going idle once more tells nothing wrong.
  expect(missed.map(({ type }) => type)).toEqual(['idle']);
});

it('sees every pair of events that changed places', () => {
  const swapped = RUN.slice(1).map((body, index) =>
    RUN.toSpliced(index, 2, body, ...RUN.slice(index, index + 1)),
  );
  const missed = swapped.filter((bodies) => grammarProblems(numbered(bodies)).length === 0);
  expect(missed.map((bodies) => bodies.map(({ type }) => type))).toEqual([]);
});

it('sees gaps and repetitions in the numbers', () => {
  const events = numbered(RUN);
  expect(grammarProblems(events, { firstSeq: 2 })).not.toEqual([]);
  expect(
    grammarProblems(events.map((event, index) => (index > 9 ? { ...event, seq: event.seq + 1 } : event))),
  ).toEqual([expect.stringContaining('seq is not')]);
});
