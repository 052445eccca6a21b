import type { DurableEventBody, EventBody, SessionEvent, StateName } from '@bulkhead/protocol';

/*
 * Sessions as the contract has them, one for each part of the grammar.
 */

const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0 };

/** Changes of state along a path. */
function states(...path: readonly [StateName, StateName]): DurableEventBody {
  return { type: 'state_change', from: path[0], to: path[1] };
}

const user = (input: string): EventBody[] => [
  { type: 'message_start', role: 'user' },
  { type: 'message_end', role: 'user', entry: `e-${input}`, input, text: input },
];

const start = (message: string): EventBody[] => [
  { type: 'agent_start', message },
  states('idle', 'thinking'),
  ...user(message),
];

const round = (number: number): EventBody[] => [
  { type: 'turn_start', round: number, model: 'p/m' },
  { type: 'message_start', role: 'assistant' },
];

const answered = (number: number, ...between: readonly EventBody[]): EventBody[] => [
  ...round(number),
  { type: 'text_delta', text: 'yes' },
  { type: 'message_end', role: 'assistant', entry: `e${number}`, text: 'yes', stopReason: 'stop' },
  ...between,
  { type: 'turn_end', round: number, usage, stopReason: 'stop' },
];

const unanswered = (number: number): EventBody[] => [
  ...round(number),
  { type: 'message_end', role: 'assistant', text: '', stopReason: 'error' },
  { type: 'turn_end', round: number, usage, stopReason: 'error' },
];

const calls = (number: number, call: string): EventBody[] => [
  ...round(number),
  { type: 'message_end', role: 'assistant', entry: `e${number}`, text: '', stopReason: 'tool_calls' },
  { type: 'tool_call', call, tool: 'bash', arguments: {} },
  states('thinking', 'executing'),
];

const begun = (action: string, call: string): EventBody[] => [
  { type: 'action_started', action, call, tool: 'bash', hash: 'h' },
  { type: 'shield_verdict', action, hash: 'h', decision: 'escalate', tier: 0, rule: 'r', reason: '' },
];

const asked = (action: string, approval: string): EventBody => ({
  type: 'approval_requested',
  approval,
  action,
  hash: 'h',
  tool: 'bash',
  shown: '',
  reason: '',
  expires: '',
});

const finished = (number: number, call: string): EventBody[] => [
  { type: 'tool_output', call, tool: 'bash', text: '', isError: false },
  { type: 'turn_end', round: number, usage, stopReason: 'tool_calls' },
  states('executing', 'thinking'),
];

const end = (message: string, rounds: number, answer = 'yes'): EventBody[] => [
  { type: 'response_complete', text: answer, thoughts: [], usage, cost: null },
  { type: 'save_point' },
  { type: 'agent_end', message },
  states('thinking', 'idle'),
  { type: 'settled', message, outcome: 'completed', answer, usage, cost: null, rounds },
];

const merged = (message: string): EventBody => ({
  type: 'settled',
  message,
  outcome: 'merged',
  answer: '',
  usage,
  cost: 0,
  rounds: 0,
});

const retry = (attempt: number): EventBody => ({
  type: 'retry_start',
  attempt,
  maxAttempts: 3,
  delayMs: 50,
  code: 'overloaded',
  message: '',
  model: 'p/m',
});

const outside = <Body extends EventBody>(body: Body): Body & { readonly turn: '' } => ({ ...body, turn: '' });

/** An event, and whether it belongs to no run. */
export type Scripted = EventBody & { readonly turn?: '' };

const PLAIN: readonly Scripted[] = [
  ...start('m'),
  ...round(1),
  { type: 'text_delta', text: 'I ' },
  { type: 'text_delta', text: 'ask' },
  { type: 'message_end', role: 'assistant', entry: 'e1', text: 'I ask', stopReason: 'tool_calls' },
  { type: 'tool_call', call: 'c', tool: 'bash', arguments: {} },
  states('thinking', 'executing'),
  ...begun('a', 'c'),
  asked('a', 'q'),
  { type: 'approval_decided', approval: 'q', action: 'a', hash: 'h', decision: 'allow', by: 'person' },
  { type: 'action_completed', action: 'a', call: 'c', hash: 'h', success: true, summary: '' },
  ...finished(1, 'c'),
  ...round(2),
  { type: 'thinking_delta', text: 'hm' },
  { type: 'message_end', role: 'assistant', entry: 'e2', text: '', thinking: 'hm', stopReason: 'stop' },
  { type: 'turn_end', round: 2, usage, stopReason: 'stop' },
  ...end('m', 2, ''),
  outside({ type: 'idle' }),
];

const QUEUED: readonly Scripted[] = [
  ...start('m'),
  ...calls(1, 'c'),
  outside({ type: 'queue_update', steer: ['s'], followUp: [] }),
  outside({ type: 'queue_update', steer: ['s'], followUp: ['f'] }),
  outside({ type: 'queue_update', steer: ['s', 't'], followUp: ['f'] }),
  outside({ type: 'queue_update', steer: ['s', 't'], followUp: ['f', 'g'] }),
  ...finished(1, 'c'),
  ...user('s'),
  merged('s'),
  ...user('t'),
  merged('t'),
  { type: 'queue_update', steer: [], followUp: ['f', 'g'] },
  outside({ ...merged('g'), outcome: 'aborted' } as EventBody),
  outside({ type: 'queue_update', steer: [], followUp: ['f'] }),
  ...answered(2),
  ...end('m', 2),
  { type: 'agent_start', message: 'f' },
  states('idle', 'thinking'),
  { type: 'queue_update', steer: [], followUp: [] },
  ...user('f'),
  ...answered(1),
  ...end('f', 1),
  outside({ type: 'idle' }),
];

const RETRIED: readonly Scripted[] = [
  ...start('m'),
  ...unanswered(1),
  retry(1),
  ...unanswered(2),
  { type: 'retry_end', attempt: 1, success: false },
  retry(2),
  ...answered(3, { type: 'retry_end', attempt: 2, success: true }),
  ...end('m', 3),
  outside({ type: 'idle' }),
];

const ABORTED: readonly Scripted[] = [
  ...start('m'),
  ...unanswered(1),
  retry(1),
  states('thinking', 'aborting'),
  { type: 'retry_end', attempt: 1, success: false },
  { type: 'save_point' },
  { type: 'agent_end', message: 'm' },
  states('aborting', 'idle'),
  { type: 'settled', message: 'm', outcome: 'aborted', answer: '', usage, cost: null, rounds: 1 },
  outside({ type: 'idle' }),
];

const FAILED: readonly Scripted[] = [
  ...start('m'),
  ...unanswered(1),
  { type: 'error', code: 'auth', message: 'no', retryable: false },
  { type: 'save_point' },
  { type: 'agent_end', message: 'm' },
  states('thinking', 'error'),
  states('error', 'idle'),
  {
    type: 'settled',
    message: 'm',
    outcome: 'failed',
    answer: '',
    usage,
    cost: null,
    rounds: 1,
    error: { code: 'auth', message: 'no' },
  },
  outside({ type: 'idle' }),
];

const RESUMED: readonly Scripted[] = [
  ...start('m'),
  ...calls(1, 'c'),
  ...begun('a', 'c'),
  asked('a', 'q'),
  { type: 'approval_decided', approval: 'q', action: 'a', hash: 'h', decision: 'deny', by: 'cancel' },
  {
    type: 'action_completed',
    action: 'a',
    call: 'c',
    hash: 'h',
    success: false,
    summary: '',
    fate: 'not_executed',
  },
  { type: 'run_resumed', message: 'm', executed: 0, notExecuted: 1, unknown: 0 },
  ...begun('b', 'c'),
  {
    type: 'action_completed',
    action: 'b',
    call: 'c',
    hash: 'h',
    success: false,
    summary: '',
    fate: 'unknown',
  },
  ...finished(1, 'c'),
  { type: 'run_resumed', message: 'm', executed: 0, notExecuted: 0, unknown: 1 },
  ...unanswered(2),
  { type: 'run_resumed', message: 'm', executed: 0, notExecuted: 0, unknown: 0 },
  ...answered(3),
  ...end('m', 3),
  outside({ type: 'idle' }),
];

export const SAMPLE_RUNS = { PLAIN, QUEUED, RETRIED, ABORTED, FAILED, RESUMED };

const EPHEMERAL: ReadonlySet<string> = new Set(['text_delta', 'thinking_delta', 'tool_delta']);

/** Numbered as the engine numbers them, so that only their order and content can be wrong. */
export function numbered(bodies: readonly Scripted[]): SessionEvent[] {
  let seq = 0;
  let runs = 0;
  return bodies.map((body) => {
    const ephemeral = EPHEMERAL.has(body.type);
    const next = seq + 1;
    if (!ephemeral) seq = next;
    if (body.type === 'agent_start') runs += 1;
    const head = { seq: next, time: '2026-01-01T00:00:00.000Z', session: 's', turn: `run ${runs}` };
    return ephemeral ? { ...head, ...body, ephemeral: true } : { ...head, ...body };
  });
}
