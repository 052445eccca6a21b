import { BulkheadError, errorCode, type SessionEvent } from '@bulkhead/protocol';
import type { EngineLink } from '../engine-link.ts';
import { runEvents } from '../run-events.ts';

/** How a run ended: its outcome, answer, tokens, cost, rounds, and the error of one that failed. */
export type RunEnd = Extract<SessionEvent, { type: 'settled' }>;

/** What makes a `Run`; programs get one of `Session.send`. */
export interface RunParts {
  readonly link: EngineLink;
  readonly onConnection: (state: 'lost' | 'back') => void;
  /** Fires when the `Bulkhead` is closed. */
  readonly life: AbortSignal;
  readonly sessionId: string;
  readonly messageId: string;
  /** Its events come after this `seq`. */
  readonly afterSeq: number;
}

/**
 * One message on its way to its answer. Each iteration tells all of it from the beginning, to its end: durable events always, deltas
 * only while they happen. To leave an iteration ends nothing; `cancel` does.
 */
export class Run implements AsyncIterable<SessionEvent> {
  readonly #parts: RunParts;
  #settled: RunEnd | undefined;

  constructor(parts: RunParts) {
    this.#parts = parts;
  }

  get messageId(): string {
    return this.#parts.messageId;
  }

  /** @throws BulkheadError `not_running` when the engine stays away for 10 s; `cancelled` when the `Bulkhead` is closed */
  async *[Symbol.asyncIterator](): AsyncGenerator<SessionEvent> {
    const { link, sessionId, messageId, afterSeq, life, onConnection } = this.#parts;
    const lines = link.watch(sessionId, afterSeq, life, onConnection);
    for await (const { event } of runEvents(lines, messageId)) {
      if (event === undefined) continue;
      yield event;
      if (event.type !== 'settled' || event.message !== messageId) continue;
      this.#settled = event;
      return;
    }
  }

  /** Waits for the end, whatever it is. */
  async end(): Promise<RunEnd> {
    for await (const _event of this.#settled === undefined ? this : []);
    if (this.#settled !== undefined) return this.#settled;
    throw new BulkheadError('internal', 'the run ended without saying how');
  }

  /**
   * Waits for the answer.
   *
   * @throws BulkheadError unless the run completed: what it failed with; `cancelled`; `blocked` where the last action was refused;
   *   `round_limit` or `spend_limit`. `details` holds what was said until then, as `answer`.
   */
  async answer(): Promise<string> {
    const { outcome, answer, error } = await this.end();
    if (outcome === 'completed' || outcome === 'merged') return answer;
    const code = errorCode(error?.code) ?? CODES[outcome];
    throw new BulkheadError(code, error?.message ?? WORDS[outcome], { details: { outcome, answer } });
  }

  /** Ends this message, running or waiting. @returns false if it was over */
  async cancel(): Promise<boolean> {
    const { link, sessionId, messageId, life } = this.#parts;
    const request = { sessionId, messageId };
    return (await link.repeat((client) => client.call('cancelRun', request, life), life)).cancelled;
  }
}

const CODES = {
  failed: 'internal',
  aborted: 'cancelled',
  blocked: 'blocked',
  limit: 'round_limit',
} as const;

const WORDS = {
  failed: 'the run failed',
  aborted: 'the run was cancelled',
  blocked: 'the last action of the run was refused',
  limit: 'the run came to its limit',
} as const;
