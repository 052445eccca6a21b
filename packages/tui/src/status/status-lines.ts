import type { TranscriptView } from '@bulkhead/protocol/transcript';
import type { Look } from '../look/look.ts';
import { activityLine, commandLine } from './activity-line.ts';
import { queueLines } from './queue-lines.ts';

interface StatusFacts {
  readonly view: TranscriptView;
  /** Text of the messages sent from here, by id. */
  readonly own: ReadonlyMap<string, string>;
  /** True if the session works, or is about to. */
  readonly busy: boolean;
  /** True if the run was asked to end, and has not. */
  readonly cancelling: boolean;
  /** A command that is not done and asks nothing, inert; undefined if there is none. */
  readonly command: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What waits, and what goes on. */
export function statusLines(facts: StatusFacts, look: Look, width: number): string[] {
  const { view, own, busy, cancelling, command, now } = facts;
  const waiting = queueLines(view, own, look, width);
  if (busy) return [...waiting, activityLine(view, cancelling, now, look, width)];
  return command === undefined ? waiting : [...waiting, commandLine(command, now, look, width)];
}
