import { inertText } from '@bulkhead/protocol';
import { firstLine, type TranscriptView } from '@bulkhead/protocol/transcript';
import { cut, wrap } from '../look/fit.ts';
import type { Look } from '../look/look.ts';
import { frameAt } from './frames.ts';

interface StatusFacts {
  readonly view: TranscriptView;
  /** Text of the messages sent from this client, by id. */
  readonly own: ReadonlyMap<string, string>;
  /** True if the session works, or is about to. */
  readonly busy: boolean;
  /** True if the run's end was requested but has not happened. */
  readonly cancelling: boolean;
  /** A running command that asks nothing, inert; undefined if there is none. */
  readonly command: string | undefined;
  /**
   * Lost records of the session's log, inert: it accepts no messages. Empty if nothing is missing.
   */
  readonly loss: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Lines about lost records; `bulkhead doctor` shows all of them. */
const MOST_LOSS_LINES = 4;

/** Waiting messages and current work. */
export function statusLines(facts: StatusFacts, look: Look, width: number): string[] {
  const { view, own, busy, cancelling, command, now } = facts;
  const waiting = queueLines(view, own, look, width);
  if (facts.loss !== '') return [...waiting, ...lossLines(facts.loss, look, width)];
  if (busy) return [...waiting, activityLine(view, cancelling, now, look, width)];
  return command === undefined ? waiting : [...waiting, commandLine(command, now, look, width)];
}

function lossLines(loss: string, { style }: Look, width: number): string[] {
  const lines = wrap(`read-only: ${loss}`, width);
  const shown = lines.length > MOST_LOSS_LINES ? [...lines.slice(0, MOST_LOSS_LINES - 1), '…'] : lines;
  const advice = 'Restore a backup, or continue without the lost records: /accept-loss';
  return [...shown.map(style.danger), ...wrap(advice, width).map(style.warning)];
}

/**
 * The current work, its duration, and how to end it.
 *
 * @param cancelling true if its end was requested
 * @param now milliseconds since the epoch
 */
function activityLine(
  view: TranscriptView,
  cancelling: boolean,
  now: number,
  { style }: Look,
  width: number,
): string {
  const { run, state, approvals } = view;
  const since = run === undefined ? Number.NaN : Date.parse(run.since);
  const took = Number.isFinite(since) ? ` ${Math.max(0, Math.floor((now - since) / 1_000))} s` : '';
  const does = approvals.length > 0 ? 'waiting for your answer' : WORDS[state];
  const what = cancelling ? 'cancelling' : does;
  const how = cancelling ? '' : style.dim(' · Esc interrupts');
  const unboxed = run?.unboxed === true ? style.danger(' NO SANDBOX: commands have all your rights') : '';
  return cut(`${style.accent(frameAt(now))} ${what}${took}${how}${unboxed}`, width);
}

/** A running command. @param entered as entered, inert @param now milliseconds since the epoch */
function commandLine(entered: string, now: number, { style }: Look, width: number): string {
  return cut(`${style.accent(frameAt(now))} ${entered}${style.dim(' · Esc stops waiting')}`, width);
}

const WORDS: Readonly<Record<TranscriptView['state'], string>> = {
  idle: 'starting',
  thinking: 'thinking',
  executing: 'working',
  compacting: 'compacting the conversation',
  aborting: 'stopping',
  error: 'failing',
};

/** Waiting messages, with their delivery. @param own text of those sent from this client, by id */
function queueLines(
  { queue }: TranscriptView,
  own: ReadonlyMap<string, string>,
  { style }: Look,
  width: number,
): string[] {
  const line = (id: string, how: string) => {
    const text = own.get(id);
    const shown = text === undefined ? '(a message from another client)' : inertText(firstLine(text));
    return style.dim(cut(`${how} ${shown}`, width));
  };
  const lines = [
    ...queue.steer.map((id) => line(id, '↳ joins the run:')),
    ...queue.followUp.map((id) => line(id, '↳ next:')),
  ];
  const editable = [...queue.steer, ...queue.followUp].some((id) => own.has(id));
  return editable ? [...lines, style.dim(cut('  Alt-Up edits the last one', width))] : lines;
}
