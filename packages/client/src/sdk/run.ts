import { BulkheadError, errorCode, type SessionEvent } from '@bulkhead/protocol';
import type { EngineLink } from '../engine-link.ts';
import { runEvents } from '../run-events.ts';

/** The result of a run: outcome, answer, tokens, cost, rounds, and the error of a failed one. */
export type RunEnd = Extract<SessionEvent, { type: 'settled' }>;

/** The parts of a `Run`; programs get one from `Session.send`. */
export interface RunParts {
  readonly link: EngineLink;
  readonly onConnection: (state: 'lost' | 'back') => void;
  /** Fires when the `Bulkhead` closes. */
  readonly life: AbortSignal;
  readonly sessionId: string;
  readonly messageId: string;
  /** Number of the last event before its own. */
  readonly afterSeq: number;
}

/**
 * The run of one message. Each iteration yields all its events from the beginning to its end:
 * durable events always, deltas only live. Leaving an iteration does not end the run; `cancel`
 * does.
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

  /**
   * @throws BulkheadError `not_running` when the engine stays away for 10 s; `cancelled` when the
   * `Bulkhead` is closed
   */
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

  /** Waits for the end, with any outcome. */
  async end(): Promise<RunEnd> {
    for await (const _event of this.#settled === undefined ? this : []);
    if (this.#settled !== undefined) return this.#settled;
    throw new BulkheadError('internal', 'the run ended without a result');
  }

  /**
   * Waits for the answer.
   *
   * @throws BulkheadError unless the run completed: its error; `cancelled`; `blocked` if the last
   * action was refused; `round_limit` or `spend_limit`. `details.answer` holds the text so far.
   */
  async answer(): Promise<string> {
    const { outcome, answer, error } = await this.end();
    if (outcome === 'completed' || outcome === 'merged') return answer;
    const code = errorCode(error?.code) ?? CODES[outcome];
    throw new BulkheadError(code, error?.message ?? WORDS[outcome], { details: { outcome, answer } });
  }

  /** Ends this message, running or waiting. @returns false if it had already ended */
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
  limit: 'the run reached its limit',
} as const;
