import type { SessionEvent } from '../events.ts';
import { addItem, changeItem } from './change-item.ts';
import type { ToolItem, ToolState } from './items.ts';
import type { TranscriptView } from './view.ts';

type Event<Type extends SessionEvent['type']> = Extract<SessionEvent, { readonly type: Type }>;

/**
 * Characters of a tool's output that are kept while it runs: a user reads its end, and the result
 * has the rest.
 */
const OUTPUT_KEPT = 32_768;

export function proposeCall(view: TranscriptView, event: Event<'tool_call'>): TranscriptView {
  const { call, tool, arguments: input } = event;
  const index = view.items.length;
  const next = addItem(view, event, (place) => ({
    kind: 'tool',
    ...place,
    call,
    tool,
    arguments: input,
    state: 'proposed',
    verdicts: [],
    output: '',
    outputCut: false,
  }));
  return { ...next, open: { ...next.open, calls: new Map(next.open.calls).set(call, index) } };
}

export function startAction(
  view: TranscriptView,
  { action, call, hash }: Event<'action_started'>,
): TranscriptView {
  const index = view.open.calls.get(call);
  if (index === undefined) return view;
  const next = changeItem(view, index, 'tool', (item) => ({
    ...withoutEnd(item),
    action,
    hash,
    state: 'proposed',
  }));
  return { ...next, open: { ...next.open, actions: new Map(next.open.actions).set(action, index) } };
}

/** A call whose action is repeated has not ended. */
function withoutEnd({ summary: _, effects: _e, fate: _f, left: _l, ...item }: ToolItem) {
  return item;
}

export function judgeAction(view: TranscriptView, event: Event<'shield_verdict'>): TranscriptView {
  const { action, decision, tier, rule, reason } = event;
  return changeItem(view, view.open.actions.get(action), 'tool', (item) => ({
    ...item,
    state: JUDGED[decision],
    verdicts: [...item.verdicts, { decision, tier, rule, reason }],
  }));
}

const JUDGED: Readonly<Record<Event<'shield_verdict'>['decision'], ToolState>> = {
  allow: 'running',
  escalate: 'proposed',
  block: 'blocked',
};

export function askPerson(view: TranscriptView, event: Event<'approval_requested'>): TranscriptView {
  const { type: _type, seq: _seq, time: _time, session: _session, turn: run, ...about } = event;
  const question = { ...about, run };
  const next = changeItem(view, view.open.actions.get(event.action), 'tool', ({ decided: _, ...item }) => ({
    ...item,
    state: 'asking',
    question,
  }));
  return { ...next, approvals: [...next.approvals, question] };
}

export function decideApproval(view: TranscriptView, event: Event<'approval_decided'>): TranscriptView {
  const { approval, action, decision, by, scope } = event;
  const decided = { approval, decision, by, ...(scope === undefined ? {} : { scope }) };
  const next = changeItem(view, view.open.actions.get(action), 'tool', (item) => ({
    ...item,
    state: decision === 'allow' ? 'running' : 'denied',
    decided,
  }));
  const approvals = next.approvals.filter((open) => open.approval !== approval);
  return approvals.length === next.approvals.length ? next : { ...next, approvals };
}

export function foldOutput(view: TranscriptView, { call, text }: Event<'tool_delta'>): TranscriptView {
  return changeItem(view, view.open.calls.get(call), 'tool', (item) => {
    const output = item.output + text;
    // Cut at twice the kept size, so that a character is moved once and not with every delta.
    if (output.length <= 2 * OUTPUT_KEPT) return { ...item, output };
    return { ...item, output: output.slice(-OUTPUT_KEPT), outputCut: true };
  });
}

export function completeAction(view: TranscriptView, event: Event<'action_completed'>): TranscriptView {
  const { call, summary, effects, fate, left, dryRun } = event;
  return changeItem(view, view.open.calls.get(call), 'tool', (item) => ({
    ...item,
    state: dryRun === true && event.success ? 'described' : item.state,
    summary,
    ...(effects === undefined ? {} : { effects }),
    ...(fate === undefined ? {} : { fate }),
    ...(left === undefined ? {} : { left }),
  }));
}

/**
 * The one result of a call. A result without a known call (a fork's shared part) gets its own card.
 */
export function foldResult(view: TranscriptView, event: Event<'tool_output'>): TranscriptView {
  const { call, text, isError, display } = event;
  const known = view.open.calls.has(call)
    ? view
    : proposeCall(view, { ...event, type: 'tool_call', arguments: null });
  const next = changeItem(known, known.open.calls.get(call), 'tool', (item) => ({
    ...item,
    state: endState(item.state, isError),
    output: '',
    outputCut: false,
    result: { text, isError },
    ...(display === undefined || display === '' ? {} : { diff: display }),
  }));
  return { ...next, open: closed(next.open, call) };
}

function endState(state: ToolItem['state'], isError: boolean): ToolState {
  if (state === 'blocked' || state === 'denied') return state;
  if (isError) return 'failed';
  return state === 'described' ? state : 'done';
}

function closed(open: TranscriptView['open'], call: string): TranscriptView['open'] {
  const index = open.calls.get(call);
  const calls = new Map([...open.calls].filter(([id]) => id !== call));
  const actions = new Map([...open.actions].filter(([, place]) => place !== index));
  return { ...open, calls, actions };
}
