import { setTimeout as sleep } from 'node:timers/promises';
import type { CrashHome } from './crash-home.ts';
import type { Strike } from './crash-plan.ts';

const POLL_MS = 25;
/** A point behind the last `settled` (title, shutdown) may still come, for so many polls. */
const LAST_POLLS = 12;
/** Longest wait for a victim to appear, milliseconds. */
const VICTIM_MS = 5_000;

/** Carries out the strikes of a round, one after the other. */
export class Striker {
  readonly #home: CrashHome;
  readonly #strikes: readonly Strike[];
  readonly kills: string[] = [];
  /** How long agents that were killed had no successor. */
  readonly respawnMs: number[] = [];

  constructor(home: CrashHome, strikes: readonly Strike[]) {
    this.#home = home;
    this.#strikes = strikes;
    this.#arm(strikes[0]);
  }

  /** @param isOver returns true once no process is left that could be struck */
  async strike(isOver: () => boolean): Promise<void> {
    for (const [index, strike] of this.#strikes.entries()) {
      if (index > 0) this.#arm(strike);
      if (strike.kind === 'moment') await this.#atMoment(strike);
      else if (!(await this.#atPoint(strike, isOver))) return;
    }
  }

  #arm(strike: Strike | undefined): void {
    if (strike === undefined || strike.kind === 'moment') return;
    const action = strike.kind === 'held' ? 'delay' : strike.action;
    this.#home.arm(`${strike.point}:${action}:${strike.hit}`);
  }

  async #atMoment({ afterMs, victim }: Extract<Strike, { kind: 'moment' }>): Promise<void> {
    await sleep(afterMs);
    if (this.#home.processes.kill(victim) > 0) this.kills.push(`${victim} at a moment`);
  }

  /** @returns false if the point was never reached */
  async #atPoint(strike: Exclude<Strike, { kind: 'moment' }>, isOver: () => boolean): Promise<boolean> {
    const before = this.#home.fired().length;
    for (let idle = 0; this.#home.fired().length === before; ) {
      await sleep(POLL_MS);
      idle = isOver() ? idle + 1 : 0;
      if (idle > LAST_POLLS) return false;
    }
    if (strike.kind === 'point') {
      this.kills.push(`${strike.action === 'eio' ? 'EIO' : 'engine'} at ${strike.point}`);
      return true;
    }
    return this.#killHeld(strike, isOver);
  }

  async #killHeld(strike: Extract<Strike, { kind: 'held' }>, isOver: () => boolean): Promise<true> {
    const end = performance.now() + VICTIM_MS;
    while (this.#home.processes.kill(strike.victim) === 0) {
      if (performance.now() > end) return true;
      await sleep(POLL_MS);
    }
    this.kills.push(`${strike.victim} at ${strike.point}`);
    if (strike.victim === 'agent') await this.#timeSuccessor(isOver);
    return true;
  }

  async #timeSuccessor(isOver: () => boolean): Promise<void> {
    const killed = performance.now();
    while (this.#home.processes.count('agent') === 0) {
      if (isOver()) return;
      await sleep(POLL_MS);
    }
    this.respawnMs.push(performance.now() - killed);
  }
}
