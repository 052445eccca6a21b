import type { TranscriptView } from '@bulkhead/protocol/transcript';
import { cut } from '../look/fit.ts';
import type { Look } from '../look/look.ts';

/** Frames of what turns while something goes on; all ASCII, so that no terminal can be wrong about them. */
const FRAMES = ['|', '/', '-', '\\'];
export const FRAME_MS = 120;

/** What goes on, for how long, and how to end it. @param now milliseconds since the epoch */
export function activityLine(view: TranscriptView, now: number, { style }: Look, width: number): string {
  const { run, state, approvals } = view;
  const frame = FRAMES[Math.floor(now / FRAME_MS) % FRAMES.length] ?? '|';
  const since = run === undefined ? Number.NaN : Date.parse(run.since);
  const took = Number.isFinite(since) ? ` ${Math.max(0, Math.floor((now - since) / 1_000))} s` : '';
  const what = approvals.length > 0 ? 'waits for your answer' : WORDS[state];
  const unboxed = run?.unboxed === true ? style.danger(' NO SANDBOX: it has all your rights') : '';
  return cut(`${style.accent(frame)} ${what}${took}${style.dim(' · Esc interrupts')}${unboxed}`, width);
}

const WORDS: Readonly<Record<TranscriptView['state'], string>> = {
  idle: 'begins',
  thinking: 'thinks',
  executing: 'works',
  compacting: 'makes the conversation shorter',
  aborting: 'stops',
  error: 'ends with an error',
};
