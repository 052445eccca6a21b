import type { TranscriptView } from '@bulkhead/protocol/transcript';
import { cut } from '../look/fit.ts';
import type { Look } from '../look/look.ts';
import { frameAt } from './frames.ts';

/**
 * The current work, its duration, and how to end it.
 *
 * @param cancelling true if its end was requested
 * @param now milliseconds since the epoch
 */
export function activityLine(
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
export function commandLine(entered: string, now: number, { style }: Look, width: number): string {
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
