import type { SessionEvent } from '../events.ts';
import { addItem, changeItem } from './change-item.ts';
import { withoutWaiting } from './fold-messages.ts';
import { plus } from './spent.ts';
import { NOTHING_OPEN, NOTHING_SPENT, type RunView, type TranscriptView } from './view.ts';

type Event<Type extends SessionEvent['type']> = Extract<SessionEvent, { readonly type: Type }>;

export function startRun(view: TranscriptView, event: Event<'agent_start'>): TranscriptView {
  const { turn, time, message, sandbox } = event;
  const run: RunView = {
    id: turn,
    message,
    since: time,
    round: 0,
    model: '',
    unboxed: sandbox === 'off',
    thoughts: [],
  };
  return { ...withoutWaiting(view, message), run, runSpent: NOTHING_SPENT };
}

export function resumeRun(view: TranscriptView, event: Event<'run_resumed'>): TranscriptView {
  const { turn, time, message, executed, notExecuted, unknown } = event;
  const next = addItem(view, event, (place) => ({
    kind: 'resumed',
    ...place,
    executed,
    notExecuted,
    unknown,
  }));
  const begun = { id: turn, message, since: time, round: 0, model: '', unboxed: false, thoughts: [] };
  const run = next.run?.message === message ? next.run : begun;
  return { ...withoutWaiting(next, message), run };
}

export function startRound(view: TranscriptView, { round, model }: Event<'turn_start'>): TranscriptView {
  return view.run === undefined ? view : { ...view, run: { ...view.run, round, model } };
}

export function completeResponse(
  view: TranscriptView,
  { thoughts }: Event<'response_complete'>,
): TranscriptView {
  return view.run === undefined ? view : { ...view, run: { ...view.run, thoughts } };
}

export function startRetry(view: TranscriptView, event: Event<'retry_start'>): TranscriptView {
  const { attempt, maxAttempts, delayMs, code, message, model } = event;
  const retry = view.items.length;
  const next = addItem(view, event, (place) => ({
    kind: 'retry',
    ...place,
    attempt,
    maxAttempts,
    delayMs,
    code,
    message,
    model,
  }));
  return { ...next, open: { ...next.open, retry } };
}

export function endRetry(view: TranscriptView, { success }: Event<'retry_end'>): TranscriptView {
  const next = changeItem(view, view.open.retry, 'retry', (item) => ({ ...item, success }));
  return { ...next, open: { ...next.open, retry: undefined } };
}

/** Pending approvals of a run end with it. */
export function endRun(view: TranscriptView, { turn }: Event<'agent_end'>): TranscriptView {
  const approvals = view.approvals.filter(({ run }) => run !== turn);
  return approvals.length === view.approvals.length ? view : { ...view, approvals };
}

export function settle(view: TranscriptView, event: Event<'settled'>): TranscriptView {
  const { message, outcome, usage, cost, rounds, error } = event;
  const taken = withoutWaiting(view, message);
  if (outcome === 'merged') return taken;
  const own = taken.run?.message === message;
  const thoughts = own ? (taken.run?.thoughts ?? []) : [];
  const told = error === undefined ? {} : { error };
  const next = addItem(taken, event, (place) => ({
    kind: 'end',
    ...place,
    message,
    outcome,
    waited: !own,
    usage,
    cost,
    rounds,
    thoughts,
    ...told,
  }));
  const settledSpent = plus(next.settledSpent, usage, cost);
  if (!own) return { ...next, settledSpent };
  return { ...next, settledSpent, run: undefined, runSpent: NOTHING_SPENT, open: NOTHING_OPEN };
}

export function rest(view: TranscriptView): TranscriptView {
  return {
    ...view,
    run: undefined,
    approvals: [],
    queue: { steer: [], followUp: [] },
    state: 'idle',
    compacting: undefined,
    open: NOTHING_OPEN,
  };
}

export function compacted(view: TranscriptView, event: Event<'session_compact'>): TranscriptView {
  const { entry, byRule = false } = event;
  const next = addItem(view, event, (place) => ({
    kind: 'compaction',
    ...place,
    entry,
    byRule,
    ...view.compacting,
  }));
  return { ...next, compacting: undefined };
}

/** A run's end also reports its error: show it once. */
export function foldError(view: TranscriptView, event: Event<'error'>): TranscriptView {
  const { code, message, retryable } = event;
  if (view.run !== undefined && view.run.id === event.turn) return view;
  return addItem(view, event, (place) => ({ kind: 'error', ...place, code, message, retryable }));
}
