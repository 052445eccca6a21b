import type { ChildProcess } from 'node:child_process';
import {
  BulkheadError,
  type CommandEffects,
  type CommandProblem,
  describeError,
  faultPoint,
  type Need,
  type SettleCommand,
  type SettledAs,
  type Settlement,
} from '@bulkhead/protocol';
import { NO_TRAFFIC, trafficOf } from './network-notes.ts';
import { problemLine } from './problem-line.ts';
import type { CommandTransaction, StartedCommand } from './started-command.ts';
import { signalProcess } from './stop-process.ts';

/** Time limit for listing the changes. */
const LIST_MS = 120_000;
/** Time limit for applying the changes: this can't be hurried, only undone. */
const COMMIT_MS = 600_000;

/** Something killed the shell that ran the command, for example the kernel when memory ran out. */
export const KILLED = 128 + 9;

/** The outcome of a command's changes. */
export interface Settled {
  readonly kept: boolean;
  /** Undefined if they never became known. */
  readonly effects: CommandEffects | undefined;
  /** The reason for not keeping them; undefined if they were kept, or if there were none. */
  readonly reason?: string;
}

/**
 * Gets a verdict on the changes of an ended command, then commits or discards them. A cancelled
 * command's changes are discarded; a commit that has begun can't be cancelled.
 *
 * @param needs of the command, besides hosts
 * @throws BulkheadError `worker_failed` if it is unknown whether they were kept
 * @throws the error of `settle` for a command that went on: its changes are neither kept nor discarded
 */
export async function settleTransaction(
  started: StartedCommand,
  transaction: CommandTransaction,
  settle: SettleCommand | undefined,
  signal: AbortSignal,
  needs: readonly Need[] = [],
): Promise<Settled> {
  const found = await listed(started.child, transaction, signal);
  if (BulkheadError.is(found)) {
    return {
      kept: false,
      effects: undefined,
      reason: `its changes could not be determined (${found.message})`,
    };
  }
  const effects = { ...found, ...trafficOf(started.network?.() ?? NO_TRAFFIC, found.status !== 0, needs) };
  const isNothing = effects.changes.length === 0 && effects.problems.length === 0;
  if (isNothing && effects.stopped === undefined && effects.needs === undefined) {
    // Without changes no verdict is needed.
    await answerOf(started, transaction, false);
    return { kept: true, effects };
  }
  const settlement = await decide(effects, settle, signal);
  faultPoint('settle.decided');
  const answer = await answerOf(started, transaction, settlement.commit);
  faultPoint('settle.answered');
  if (answer === 'committed') return { kept: true, effects };
  return { kept: false, effects, reason: settlement.commit ? answer : settlement.reason };
}

async function listed(
  child: ChildProcess,
  { effects }: CommandTransaction,
  signal: AbortSignal,
): Promise<CommandEffects | BulkheadError> {
  const stop = (): void => signalProcess(child, 'SIGKILL');
  const timer = setTimeout(stop, LIST_MS);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await effects;
  } catch (error) {
    return BulkheadError.from(error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

async function decide(
  effects: CommandEffects,
  settle: SettleCommand | undefined,
  signal: AbortSignal,
): Promise<Settlement> {
  const { stopped } = effects;
  if (stopped !== undefined)
    return { commit: false, reason: problemLine({ code: stopped, path: new Uint8Array() }) };
  // A command in the background is ended by a signal as a rule.
  if (effects.status === KILLED && effects.goneOn === undefined)
    return { commit: false, reason: 'it was killed before it came to its end' };
  const [problem] = effects.problems;
  if (problem !== undefined)
    return { commit: false, reason: problemLine(problem, effects.problems.length - 1) };
  if (settle === undefined) return { commit: false, reason: 'no one could decide about it' };
  try {
    const settlement = await settle(effects);
    return signal.aborted ? { commit: false, reason: 'it was cancelled' } : settlement;
  } catch (error) {
    // The changes of a command that went on can wait for another decision.
    if (effects.goneOn !== undefined) throw error;
    return { commit: false, reason: `it could not be judged: ${describeError(error)}` };
  }
}

/** @returns `committed`, or the reason why not */
async function answerOf(
  started: StartedCommand,
  transaction: CommandTransaction,
  commit: boolean,
): Promise<string> {
  const timer = setTimeout(() => signalProcess(started.child, 'SIGKILL'), COMMIT_MS);
  try {
    return await told(await transaction.settle(commit), started);
  } catch (error) {
    if (!commit) return 'dropped';
    return await foundOut(started, describeError(error));
  } finally {
    clearTimeout(timer);
  }
}

async function told(answer: SettledAs, started: StartedCommand): Promise<string> {
  switch (answer.type) {
    case 'committed':
    case 'dropped':
      return answer.type;
    case 'conflict':
      // A commit meets a concurrent edit only after some other changes were in place.
      if (answer.problem.code !== 'edited-since') return problemLine(answer.problem);
      return await foundOut(started, problemLine(answer.problem));
    case 'stuck':
      return await foundOut(started, problemLine(answer.problem));
    case 'failed': {
      const { errno, path } = answer;
      const problem: CommandProblem = { code: `errno-${errno}`, path };
      return await foundOut(started, problemLine(problem));
    }
  }
}

/**
 * Only recovery may report an undo: the launcher's answer gives the reason, not the outcome.
 *
 * @throws BulkheadError `worker_failed` if recovery failed: the outcome stays open, and no command
 * runs in the folder until it succeeds
 */
async function foundOut(started: StartedCommand, why: string): Promise<string> {
  try {
    return (await started.recover()) === 'committed'
      ? 'committed'
      : `keeping it failed and was undone: ${why}`;
  } catch (cause) {
    const said = `keeping what the command changed was cut off (${why}) and could not be undone yet: ${describeError(cause)}`;
    throw new BulkheadError('worker_failed', said, { cause });
  }
}
