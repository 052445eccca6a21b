import {
  BulkheadError,
  type CommandEffects,
  describeError,
  type GoneOn,
  type SettleCommand,
} from '@bulkhead/protocol';
import type { CommandStatus } from '../definitions/execution.ts';
import { countChanges, countText } from './change-list.ts';
import { networkNotes } from './network-notes.ts';
import { settleListed } from './settle-later.ts';
import { KILLED } from './settle-transaction.ts';
import { settledLines } from './shell-result.ts';
import type { LaterChanges, StartedCommand } from './started-command.ts';

/** A command that runs, or has ended and has not been looked at since. */
export interface BackgroundCommand extends CommandStatus {
  /** Id of the action that began it. */
  readonly action: string;
  readonly sessionId: string;
  readonly workingFolder: string;
  readonly pid: number;
}

/** The decision about the changes of a command that no one stopped. */
export type EndedDecision =
  | { readonly commit: false; readonly reason: string }
  | {
      readonly commit: true;
      /** Called with the outcome, also if it is not kept; undefined if that is unknown. */
      settled(kept: boolean | undefined): Promise<void>;
    };

export type DecideEnded = (command: BackgroundCommand, effects: CommandEffects) => Promise<EndedDecision>;

export function isOf(info: BackgroundCommand, sessionId: string | undefined): boolean {
  return sessionId === undefined || info.sessionId === sessionId;
}

/** A background command as the writer of changes. */
export function goneOnOf({ id, action, command }: BackgroundCommand): GoneOn {
  return { id, action, command };
}

/** A background command that has ended. */
interface Ended {
  readonly info: BackgroundCommand;
  readonly started: StartedCommand;
  readonly overdue: boolean;
  readonly cut: boolean;
}

/** The outcome of its changes. */
interface EndedChanges {
  /** How it ended, as far as known. */
  readonly ended?: string;
  readonly remarks: readonly string[];
  /** True if they wait for a decision. */
  readonly waits: boolean;
  /** True if only recovery can find out whether they were kept. */
  readonly isUnknown?: boolean;
}

/** Keeps the changes of a command that no one stopped, if that needs no question. Never throws. */
export async function settleAtEnd(
  { info, started, overdue, cut }: Ended,
  decide: DecideEnded | undefined,
): Promise<EndedChanges> {
  const { later } = started;
  let ended: string | undefined;
  try {
    if (later === undefined) throw new BulkheadError('internal', 'it writes the folder directly');
    using _ = await later.turn(new AbortController().signal);
    const effects = await later.list();
    ended = `exit code ${effects.status}`;
    const isPart = overdue && (cut || effects.status === KILLED);
    const by = isPart ? async () => INCOMPLETE : decide;
    return { ended, ...(await settleListedAtEnd(info, { ...started, later }, effects, by)) };
  } catch (error) {
    const isUnknown = isUnknownOutcome(error);
    const what = isUnknown
      ? 'it is not known whether what it changed is kept'
      : 'what it changed is not kept';
    const remarks = [`${what}: ${describeError(error)}`];
    return { ...(ended === undefined ? {} : { ended }), remarks, waits: false, isUnknown };
  }
}

async function settleListedAtEnd(
  info: BackgroundCommand,
  started: Pick<StartedCommand, 'child'> & { readonly later: LaterChanges },
  listed: CommandEffects,
  decide: DecideEnded | undefined,
): Promise<EndedChanges> {
  const goneOn = goneOnOf(info);
  const effects = { ...listed, goneOn };
  const { changes, problems, stopped } = effects;
  const isKeepable = changes.length > 0 && problems.length === 0 && stopped === undefined;
  const decision = isKeepable ? await decide?.(info, effects) : undefined;
  if (isKeepable && decision?.commit !== true) {
    const reason = decision?.reason ?? 'no one could decide about it';
    const what = countText(countChanges(changes));
    const then = decision === INCOMPLETE ? 'process_stop keeps it' : 'process_stop asks about it';
    const text = `what it changed (${what}) is not in the folder yet: ${then} (${reason})`;
    return { remarks: [text], waits: true };
  }
  const settle: SettleCommand = async () => ({ commit: true });
  const record = async (kept: boolean | undefined): Promise<readonly string[]> => {
    try {
      if (decision?.commit === true) await decision.settled(kept);
      return [];
    } catch (error) {
      return [`its outcome could not be recorded: ${describeError(error)}`];
    }
  };
  try {
    const settled = await settleListed(started, goneOn, Promise.resolve(effects), settle, NEVER);
    const lines = settledLines(settled, false).map(plain);
    return { remarks: [...lines, ...(await record(settled.kept))], waits: false };
  } catch (error) {
    await record(isUnknownOutcome(error) ? undefined : false);
    throw error;
  }
}

function isUnknownOutcome(error: unknown): boolean {
  return BulkheadError.is(error) && error.code === 'worker_failed';
}

/** As of a command that is stopped in its call: nothing is kept that no one has asked for. */
const INCOMPLETE: EndedDecision = {
  commit: false,
  reason: 'it was ended before it came to its end, so it may be incomplete',
};

const NEVER = new AbortController().signal;

/** A line of a result as a remark. */
function plain(line: string): string {
  return line.replace(/^\[(.*)\]$/s, '$1');
}

/** A failed look must be reported like a finding. */
export async function remarksOn(started: StartedCommand): Promise<readonly string[]> {
  try {
    const network = started.network?.();
    const traffic = network === undefined ? [] : networkNotes(network, false);
    return [...((await started.remarks?.()) ?? []), ...traffic];
  } catch (error) {
    return [`what it changed could not be looked at: ${describeError(error)}`];
  }
}
