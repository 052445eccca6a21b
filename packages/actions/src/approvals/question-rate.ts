import type { Clock } from '@bulkhead/protocol';

/**
 * Questions that one session may ask within a minute. A person who is asked more often stops
 * reading.
 */
const QUESTIONS_PER_MINUTE = 30;
const MINUTE_MS = 60_000;

/**
 * Prevents a session from flooding a person with questions [FT44]. A session that asks too often is
 * paused: its questions are refused until a whole minute has passed without an attempt.
 */
export class QuestionRate {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #sessions = new Map<string, { asked: number[]; pausedUntil: number }>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** @returns false if the session is paused, or becomes paused now */
  mayAsk(sessionId: string): boolean {
    const now = this.#clock.monotonic();
    this.#forget(now);
    const state = this.#sessions.get(sessionId) ?? { asked: [], pausedUntil: Number.NEGATIVE_INFINITY };
    this.#sessions.set(sessionId, state);
    state.asked = state.asked.filter((at) => now - at < MINUTE_MS);
    if (state.asked.length >= QUESTIONS_PER_MINUTE || now < state.pausedUntil) {
      state.pausedUntil = now + MINUTE_MS;
      return false;
    }
    state.asked.push(now);
    return true;
  }

  /** Drops sessions that have asked nothing for a minute. */
  #forget(now: number): void {
    for (const [id, { asked, pausedUntil }] of this.#sessions) {
      if (now >= pausedUntil && now - (asked.at(-1) ?? Number.NEGATIVE_INFINITY) >= MINUTE_MS)
        this.#sessions.delete(id);
    }
  }
}
