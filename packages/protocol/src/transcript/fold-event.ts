import type { SessionEvent } from '../events.ts';
import { endMessage, foldDelta, foldGap, startMessage } from './fold-messages.ts';
import {
  compacted,
  completeResponse,
  endRetry,
  endRun,
  foldError,
  rest,
  resumeRun,
  settle,
  startRetry,
  startRound,
  startRun,
} from './fold-runs.ts';
import {
  askPerson,
  completeAction,
  decideApproval,
  foldOutput,
  foldResult,
  judgeAction,
  proposeCall,
  startAction,
} from './fold-tools.ts';
import type { TranscriptView } from './view.ts';

type Fold = {
  readonly [Type in SessionEvent['type']]: (
    view: TranscriptView,
    event: Extract<SessionEvent, { readonly type: Type }>,
  ) => TranscriptView;
};

const same = (view: TranscriptView): TranscriptView => view;

/** The effect of each event; total, so that a new event does not compile without a row. */
const FOLD: Fold = {
  agent_start: startRun,
  agent_end: endRun,
  turn_start: startRound,
  turn_end: same,
  message_start: startMessage,
  message_end: endMessage,
  tool_call: proposeCall,
  tool_output: foldResult,
  action_started: startAction,
  shield_verdict: judgeAction,
  approval_requested: askPerson,
  approval_decided: decideApproval,
  client_call: same,
  action_completed: completeAction,
  retry_start: startRetry,
  retry_end: endRetry,
  queue_update: (view, { steer, followUp }) => ({ ...view, queue: { steer, followUp } }),
  state_change: (view, { to }) => ({
    ...view,
    state: to,
    compacting: to === 'compacting' ? view.compacting : undefined,
  }),
  session_before_compact: (view, { reason, messages }) => ({ ...view, compacting: { reason, messages } }),
  session_compact: compacted,
  run_resumed: resumeRun,
  session_title: (view, { title }) => ({ ...view, title }),
  // A client requests its branch and the names of its entries (`ReadBranch`, `ReadTree`).
  label: same,
  leaf_moved: (view, { to }) => ({ ...view, leaf: to }),
  response_complete: completeResponse,
  save_point: same,
  settled: settle,
  idle: rest,
  error: foldError,
  text_delta: foldDelta,
  thinking_delta: foldDelta,
  tool_delta: foldOutput,
  gap: foldGap,
};

/**
 * The view after one more event, in time that does not grow with the transcript's length. Events
 * are given in the order they came; events already in the view, sent again after a broken
 * connection, change nothing. Events with `seq` 0 (a fork's shared part, see `branchEvents`) have
 * an effect each time, so they are folded once, first.
 *
 * A client that begins or resumes listening may have missed deltas: it folds a `gap` of its own
 * (`missedSome`).
 */
export function foldEvent(view: TranscriptView, event: SessionEvent): TranscriptView {
  if (event.seq !== 0 && event.seq <= view.seq) return view;
  const next = apply(view, event);
  if (event.ephemeral === true || event.seq === 0) return next;
  return { ...next, seq: event.seq };
}

/** The text so far of the current answer may be incomplete: deltas are sent once. */
export function missedSome(view: TranscriptView): TranscriptView {
  return foldGap(view);
}

function apply<Type extends SessionEvent['type']>(
  view: TranscriptView,
  event: Extract<SessionEvent, { readonly type: Type }>,
): TranscriptView {
  return FOLD[event.type](view, event);
}
