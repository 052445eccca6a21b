import type { Clock, MachineClock } from '@bulkhead/protocol';
import { findByHash, newSecret, secretHash } from './secret.ts';

const LIFETIME_MS = 60_000;
/** Maximum of open codes. */
const MAX_OPEN = 8;

interface OpenCode {
  readonly hash: Uint8Array;
  readonly deadline: number;
}

/**
 * Codes that log in one browser, once, within a minute. Time asleep counts; the wall clock does not
 * [FT45]. Codes are not stored and end with the engine.
 */
export class LoginCodes {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #machine: Pick<MachineClock, 'sinceBoot'>;
  #open: readonly OpenCode[] = [];

  constructor(clock: Pick<Clock, 'now'>, machine: Pick<MachineClock, 'sinceBoot'>) {
    this.#clock = clock;
    this.#machine = machine;
  }

  create(): { readonly code: string; readonly expires: number } {
    const code = newSecret('');
    const opened = { hash: secretHash(code), deadline: this.#machine.sinceBoot() + LIFETIME_MS };
    this.#open = [...this.#live(), opened].slice(-MAX_OPEN);
    return { code, expires: this.#clock.now() + LIFETIME_MS };
  }

  /** @returns true for a known, unexpired, unused code; the code is then used up */
  use(code: string): boolean {
    const live = this.#live();
    const found = findByHash(live, secretHash(code));
    this.#open = live.filter((open) => open !== found);
    return found !== undefined;
  }

  /** Voids all open codes. */
  clear(): void {
    this.#open = [];
  }

  #live(): readonly OpenCode[] {
    const now = this.#machine.sinceBoot();
    return this.#open.filter(({ deadline }) => now < deadline);
  }
}
