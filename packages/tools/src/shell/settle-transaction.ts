import type { ChildProcess } from 'node:child_process';
import {
  BulkheadError,
  type CommandEffects,
  type CommandProblem,
  describeError,
  faultPoint,
  type SettleCommand,
  type SettledAs,
  type Settlement,
} from '@bulkhead/protocol';
import { problemLine } from './problem-line.ts';
import type { CommandTransaction, StartedCommand } from './started-command.ts';
import { signalProcess } from './stop-process.ts';

/** How long listing what changed may take. */
const LIST_MS = 120_000;
/** How long putting it in place may take: it can't be hurried, only undone. */
const COMMIT_MS = 600_000;

/** The shell that ran the command was killed, by the kernel for want of memory for instance: it did not end by itself. */
const KILLED = 128 + 9;

/** What became of a command's changes. */
export interface Settled {
  readonly kept: boolean;
  /** Undefined if they were never known. */
  readonly effects: CommandEffects | undefined;
  /** Why they were not kept; undefined if they were, or if there were none. */
  readonly reason?: string;
}

/**
 * Has the changes of a command that has ended judged, and keeps or drops them. A cancelled one is dropped; once it is
 * being kept, nothing stops that.
 *
 * @throws BulkheadError `worker_failed` if nobody can tell whether they were kept
 */
export async function settleTransaction(
  started: StartedCommand,
  transaction: CommandTransaction,
  settle: SettleCommand | undefined,
  signal: AbortSignal,
): Promise<Settled> {
  const effects = await listed(started.child, transaction, signal);
  if (BulkheadError.is(effects)) {
    return {
      kept: false,
      effects: undefined,
      reason: `what it changed could not be told (${effects.message})`,
    };
  }
  if (effects.changes.length === 0 && effects.problems.length === 0 && effects.stopped === undefined) {
    // Nothing to keep is nothing to ask about.
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
  if (effects.status === KILLED) return { commit: false, reason: 'it was killed before it came to its end' };
  const [problem] = effects.problems;
  if (problem !== undefined)
    return { commit: false, reason: problemLine(problem, effects.problems.length - 1) };
  if (settle === undefined) return { commit: false, reason: 'nobody was there to decide about it' };
  try {
    const settlement = await settle(effects);
    return signal.aborted ? { commit: false, reason: 'it was cancelled' } : settlement;
  } catch (error) {
    return { commit: false, reason: `it could not be judged: ${describeError(error)}` };
  }
}

/** @returns `committed`, or why not */
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
      // What was edited meanwhile is only met when some of the rest was in place already.
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
 * Only recovery may say that something was undone: the launcher's own word is why, not how it ended.
 *
 * @throws BulkheadError `worker_failed` if it could not bring the folder in order: the outcome stays open, and no command
 *   runs there until it could
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
