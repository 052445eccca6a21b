import { BulkheadError, type CommandEffects, describeError } from '@bulkhead/protocol';
import { countChanges, countText } from './change-list.ts';
import { type BackgroundCommand, type DecideEnded, goneOnOf } from './ended-command.ts';
import { problemLine } from './problem-line.ts';
import type { LaterChanges, QuietChanges } from './started-command.ts';

interface QuietParts {
  /** The command as known now. */
  info(): BackgroundCommand | undefined;
  /** Absent, nothing is kept before the end. */
  decide(): DecideEnded | undefined;
  /** For the command's output, a clause each, once. */
  say(clause: string): void;
}

/**
 * Keeps what a background command has written at its quiet moments, one after the other, if that needs
 * no question. Otherwise all of it waits for its end.
 */
class QuietMoments {
  readonly #later: LaterChanges;
  readonly #quiet: QuietChanges;
  readonly #parts: QuietParts;
  readonly #ended = new AbortController();
  readonly #said = new Set<string>();
  #again = false;
  #running: Promise<void> | undefined;

  constructor(later: LaterChanges, quiet: QuietChanges, parts: QuietParts) {
    this.#later = later;
    this.#quiet = quiet;
    this.#parts = parts;
    const end = () => this.#ended.abort();
    later.ended.then(end, end);
    quiet.onReached(() => this.#reached());
  }

  /** Resolves once nothing is settled any more; call when the command has ended. */
  async over(): Promise<void> {
    this.#ended.abort();
    await this.#running;
  }

  #reached(): void {
    this.#again = true;
    this.#running ??= this.#settleAll().finally(() => {
      this.#running = undefined;
    });
  }

  async #settleAll(): Promise<void> {
    while (this.#again && !this.#ended.signal.aborted) {
      this.#again = false;
      for (const clause of await this.#settle()) this.#say(clause);
    }
  }

  #say(clause: string): void {
    if (this.#said.has(clause)) return;
    this.#said.add(clause);
    this.#parts.say(clause);
  }

  async #settle(): Promise<readonly string[]> {
    const [info, decide] = [this.#parts.info(), this.#parts.decide()];
    if (info === undefined || decide === undefined) return [];
    try {
      using _ = await this.#later.turn(this.#ended.signal);
      return await settleQuiet(info, this.#quiet, decide);
    } catch (error) {
      // Its changes wait for its end, which is near.
      if (this.#ended.signal.aborted && !isUnknown(error)) return [];
      return [`what it has changed by now is not kept yet: ${describeError(error)}`];
    }
  }
}

/** Follows a background command; undefined for one of which nothing is kept before its end. */
export function followQuiet(later: LaterChanges | undefined, parts: QuietParts): QuietMoments | undefined {
  return later?.quiet && new QuietMoments(later, later.quiet, parts);
}

function isUnknown(error: unknown): boolean {
  return BulkheadError.is(error) && error.code === 'worker_failed';
}

async function settleQuiet(
  info: BackgroundCommand,
  quiet: QuietChanges,
  decide: DecideEnded,
): Promise<readonly string[]> {
  const listed = await listOf(quiet);
  if (listed === undefined) return [];
  const effects = { ...listed, goneOn: goneOnOf(info) };
  const { changes, problems, notes } = effects;
  const [problem] = problems;
  if (problem !== undefined || changes.length === 0) {
    await quiet.settle(false);
    return problem === undefined ? [] : [waits(effects, problemLine(problem, problems.length - 1))];
  }
  const decision = await decide(info, effects).catch(async (error: unknown) => {
    await quiet.settle(false);
    throw error;
  });
  if (!decision.commit) {
    await quiet.settle(false);
    return [waits(effects, decision.reason)];
  }
  let kept: boolean | undefined;
  try {
    kept = await isKept(quiet);
  } finally {
    await decision.settled(kept);
  }
  return notes.map((note) => problemLine(note));
}

/** Drops a list that can't be judged; the command still has the files. */
async function listOf(quiet: QuietChanges): Promise<CommandEffects | undefined> {
  try {
    return await quiet.list();
  } catch (error) {
    await quiet.settle(false).catch(() => {});
    throw error;
  }
}

function waits({ changes }: CommandEffects, reason: string): string {
  return `what it has changed by now (${countText(countChanges(changes))}) waits for its end: ${reason}`;
}

/** @throws BulkheadError `worker_failed` if that can't be found out */
async function isKept(quiet: QuietChanges): Promise<boolean> {
  const told = await quiet.settle(true).catch(() => undefined);
  if (told?.type === 'committed') return true;
  const isConflict = told?.type === 'conflict' && told.problem.code !== 'edited-since';
  if (told?.type === 'dropped' || isConflict) return false;
  try {
    return (await quiet.recover()) === 'committed';
  } catch (cause) {
    throw new BulkheadError('worker_failed', `it is not known whether it is: ${describeError(cause)}`, {
      cause,
    });
  }
}
