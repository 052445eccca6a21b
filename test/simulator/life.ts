import { BulkheadError } from '@bulkhead/protocol';
import type { EventScope } from '@bulkhead/testkit/simulation';

/** How an engine ends: its process is killed, the machine loses power, or it stops in order. */
export type DeathKind = 'kill' | 'power cut' | 'stop';

/**
 * One engine process, from its start to its death. Its code may still run afterwards, because a
 * program can't be killed inside another: everything reachable calls `check` first, so it has no
 * effect.
 */
export class Life {
  readonly number: number;
  readonly scope: EventScope;
  /** True once this engine can no longer write to the disk. */
  diskIsBroken = false;
  /** True after an orderly stop was requested. */
  isStopping = false;
  readonly #ends: (() => void)[] = [];
  #death: DeathKind | undefined;

  constructor(number: number, scope: EventScope) {
    this.number = number;
    this.scope = scope;
  }

  get death(): DeathKind | undefined {
    return this.#death;
  }

  /** Called once at the death, to end the engine's parts. */
  onDeath(run: () => void): void {
    this.#ends.push(run);
  }

  die(kind: DeathKind): void {
    if (this.#death !== undefined) return;
    this.#death = kind;
    this.scope.end();
    for (const end of this.#ends) end();
  }

  /** @throws BulkheadError `internal` if this engine is dead */
  check(): void {
    if (this.#death !== undefined) throw new BulkheadError('internal', 'this engine is dead');
  }
}
