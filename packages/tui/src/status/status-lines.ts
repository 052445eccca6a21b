import type { TranscriptView } from '@bulkhead/protocol/transcript';
import { wrap } from '../look/fit.ts';
import type { Look } from '../look/look.ts';
import { activityLine, commandLine } from './activity-line.ts';
import { queueLines } from './queue-lines.ts';

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
