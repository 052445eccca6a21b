import type { Clock, MachineClock } from '@bulkhead/protocol';
import { findByHash, newSecret, secretHash } from './secret.ts';

const LIFETIME_MS = 60_000;
/** Codes that wait at once. */
const MAX_OPEN = 8;

interface OpenCode {
  readonly hash: Uint8Array;
  readonly deadline: number;
}

/**
 * Codes that log one browser in, once, within a minute, asleep or awake, whatever the wall clock says [FT45]. They are on no
 * disk, and end with the engine.
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

  /** @returns true for a code that was made, is not too old, and was not used before: it is used up now */
  use(code: string): boolean {
    const live = this.#live();
    const found = findByHash(live, secretHash(code));
    this.#open = live.filter((open) => open !== found);
    return found !== undefined;
  }

  /** Voids those that wait. */
  clear(): void {
    this.#open = [];
  }

  #live(): readonly OpenCode[] {
    const now = this.#machine.sinceBoot();
    return this.#open.filter(({ deadline }) => now < deadline);
  }
}
