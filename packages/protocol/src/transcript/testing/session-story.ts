import fc from 'fast-check';
import type { EventBody, EventUsage, SessionEvent } from '../../events.ts';

const USAGE: EventUsage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 2, reasoningTokens: 0 };

/** Outcome of one call. */
type CallEnd = 'done' | 'failed' | 'blocked' | 'denied' | 'approved' | 'described' | 'unjudged';

interface CallStory {
  readonly end: CallEnd;
  readonly prints: readonly string[];
}

interface RoundStory {
  readonly thinks: readonly string[];
  readonly says: readonly string[];
  readonly calls: readonly CallStory[];
  readonly failsFirst: boolean;
  readonly steered: boolean;
}

interface RunStory {
  readonly rounds: readonly RoundStory[];
  readonly ends: 'completed' | 'failed' | 'aborted';
  readonly resumed: boolean;
  readonly compacts: boolean;
}

const words = fc.array(fc.string({ maxLength: 8 }), { maxLength: 4 });

const call: fc.Arbitrary<CallStory> = fc.record({
  end: fc.constantFrom<CallEnd>('done', 'failed', 'blocked', 'denied', 'approved', 'described', 'unjudged'),
  prints: words,
});

const round: fc.Arbitrary<RoundStory> = fc.record({
  thinks: words,
  says: words,
  calls: fc.array(call, { maxLength: 3 }),
  failsFirst: fc.boolean(),
  steered: fc.boolean(),
});

const run: fc.Arbitrary<RunStory> = fc.record({
  rounds: fc.array(round, { minLength: 1, maxLength: 3 }),
  ends: fc.constantFrom('completed', 'failed', 'aborted'),
  resumed: fc.boolean(),
  compacts: fc.boolean(),
});

/** A whole session in its clients' view, deltas among the durable events, in the engine's order. */
export const sessionStory: fc.Arbitrary<readonly SessionEvent[]> = fc
  .array(run, { minLength: 1, maxLength: 3 })
  .map((runs) => numbered(runs.flatMap((one, at) => runBodies(one, at))));

type Told = readonly [turn: string, body: EventBody];

function numbered(told: readonly Told[]): readonly SessionEvent[] {
  let seq = 0;
  return told.map(([turn, body]) => {
    const place = { time: '2026-01-01T00:00:00Z', session: 's', turn };
    if (isEphemeral(body)) return { seq: seq + 1, ephemeral: true, ...place, ...body };
    seq += 1;
    return { seq, ...place, ...body };
  });
}

function isEphemeral({ type }: EventBody): boolean {
  return type.endsWith('_delta') || type === 'gap';
}

function runBodies({ rounds, ends, resumed, compacts }: RunStory, at: number): Told[] {
  const message = `m${at}`;
  const usage = USAGE;
  const inside: EventBody[] = [
    { type: 'queue_update', steer: [], followUp: [message] },
    { type: 'agent_start', message },
    { type: 'state_change', from: 'idle', to: 'thinking' },
    { type: 'message_start', role: 'user' },
    { type: 'message_end', role: 'user', entry: `e${message}`, input: message, text: `do ${at}` },
    ...(resumed ? [{ type: 'run_resumed', message, executed: 1, notExecuted: 0, unknown: 0 } as const] : []),
    ...rounds.flatMap((one, number) => roundBodies(one, `${at}.${number}`, number + 1)),
    ...(compacts ? compaction(at) : []),
    ...(ends === 'failed' ? [{ type: 'error', code: 'x', message: 'bad', retryable: false } as const] : []),
    { type: 'save_point' },
    { type: 'agent_end', message },
    {
      type: 'settled',
      message,
      outcome: ends,
      answer: '',
      usage,
      cost: at === 0 ? null : 0.01,
      rounds: rounds.length,
    },
  ];
  return [...inside.map((body): Told => [`r${at}`, body]), ['', { type: 'idle' }]];
}

function compaction(at: number): EventBody[] {
  return [
    { type: 'session_before_compact', reason: 'threshold', messages: 9 },
    { type: 'state_change', from: 'thinking', to: 'compacting' },
    { type: 'session_compact', entry: `e${at}` },
    { type: 'state_change', from: 'compacting', to: 'thinking' },
  ];
}

function roundBodies(story: RoundStory, id: string, number: number): EventBody[] {
  const { thinks, says, calls, failsFirst, steered } = story;
  const start: EventBody[] = [
    { type: 'turn_start', round: number, model: 'p/m' },
    { type: 'message_start', role: 'assistant' },
    ...thinks.map((text): EventBody => ({ type: 'thinking_delta', text })),
    ...says.map((text): EventBody => ({ type: 'text_delta', text })),
  ];
  return [
    ...(failsFirst ? [...start, ...failure(number)] : []),
    ...start,
    {
      type: 'message_end',
      role: 'assistant',
      entry: `a${id}`,
      text: says.join(''),
      thinking: thinks.join(''),
      usage: USAGE,
      cost: 0.002,
      stopReason: calls.length > 0 ? 'tool_calls' : 'stop',
    },
    ...(failsFirst ? [{ type: 'retry_end', attempt: 1, success: true } as const] : []),
    ...calls.map(
      (_, at): EventBody => ({ type: 'tool_call', call: `c${id}.${at}`, tool: 'bash', arguments: { at } }),
    ),
    ...calls.flatMap((one, at) => callBodies(one, `c${id}.${at}`)),
    { type: 'turn_end', round: number, usage: USAGE, stopReason: 'stop' },
    ...(steered ? steer(id) : []),
  ];
}

function failure(number: number): EventBody[] {
  const retry = { attempt: 1, maxAttempts: 3, delayMs: 5, code: 'rate_limit', message: 'slow', model: 'p/m' };
  return [
    { type: 'message_end', role: 'assistant', text: '', stopReason: 'error' },
    { type: 'turn_end', round: number, usage: USAGE, stopReason: 'error' },
    { type: 'retry_start', ...retry },
  ];
}

function steer(id: string): EventBody[] {
  const message = `s${id}`;
  return [
    { type: 'queue_update', steer: [message], followUp: [] },
    { type: 'message_start', role: 'user' },
    { type: 'message_end', role: 'user', entry: `e${message}`, input: message, text: 'also' },
    { type: 'queue_update', steer: [], followUp: [] },
    { type: 'settled', message, outcome: 'merged', answer: '', usage: USAGE, cost: 0, rounds: 0 },
  ];
}

function callBodies({ end, prints }: CallStory, call: string): EventBody[] {
  const isError = end === 'failed' || end === 'blocked' || end === 'denied';
  const output: EventBody = { type: 'tool_output', call, tool: 'bash', text: prints.join(''), isError };
  if (end === 'unjudged') return [output];
  const action = `a${call}`;
  const hash = 'h';
  const decision = DECISIONS[end] ?? 'allow';
  const runs = end !== 'blocked' && end !== 'denied';
  return [
    { type: 'action_started', action, call, tool: 'bash', hash },
    { type: 'shield_verdict', action, hash, decision, tier: 0, rule: 'r', reason: 'because' },
    ...(decision === 'escalate' ? question(action, end === 'approved') : []),
    ...(runs ? prints.map((text): EventBody => ({ type: 'tool_delta', call, text })) : []),
    {
      type: 'action_completed',
      action,
      call,
      hash,
      success: !isError,
      summary: end,
      ...(end === 'described' ? { dryRun: true } : {}),
    },
    output,
  ];
}

const DECISIONS: Readonly<Partial<Record<CallEnd, 'block' | 'escalate'>>> = {
  blocked: 'block',
  denied: 'escalate',
  approved: 'escalate',
};

function question(action: string, yes: boolean): EventBody[] {
  const about = { approval: `q${action}`, action, hash: 'h' };
  return [
    { type: 'approval_requested', ...about, tool: 'bash', shown: 'rm', reason: 'asks', expires: 't' },
    { type: 'approval_decided', ...about, decision: yes ? 'allow' : 'deny', by: 'person' },
  ];
}
