import type { Clock, ModelClient } from '@bulkhead/protocol';

/**
 * Providers that lately failed in a way that waiting may cure. One for the engine: what one run learned spares the next
 * run the wait [E5].
 */
export class Cooldowns {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #until = new Map<string, number>();

  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#ms = ms;
  }

  start(model: ModelClient): void {
    this.#until.set(providerOf(model), this.#clock.monotonic() + this.#ms);
  }

  isCooling(model: ModelClient): boolean {
    const until = this.#until.get(providerOf(model));
    return until !== undefined && this.#clock.monotonic() < until;
  }
}

/** Servers of the compatible kind have nothing in common but the wire: there each model stands for itself. */
function providerOf({ name }: ModelClient): string {
  const provider = name.slice(0, name.indexOf('/'));
  return provider === 'openai-compatible' ? name : provider;
}

/** The models a run may use, in order. Starts at the first that isn't cooling down; else at the first. */
export class ModelChain {
  #models: readonly ModelClient[];
  readonly #cooldowns: Cooldowns;
  #current: ModelClient;

  constructor(first: ModelClient, fallbacks: readonly ModelClient[], cooldowns: Cooldowns) {
    this.#models = [first, ...fallbacks];
    this.#cooldowns = cooldowns;
    this.#current = this.#models.find((model) => !cooldowns.isCooling(model)) ?? first;
  }

  get current(): ModelClient {
    return this.#current;
  }

  /** Puts a client with another key in the place of the current one. */
  renew(model: ModelClient): void {
    this.#models = this.#models.with(this.#models.indexOf(this.#current), model);
    this.#current = model;
  }

  /**
   * Leaves the current model for the next one that isn't cooling down.
   *
   * @returns undefined if there is none: then the current one stays
   */
  fallBack(): ModelClient | undefined {
    this.#cooldowns.start(this.#current);
    const place = this.#models.indexOf(this.#current);
    const next = this.#models.slice(place + 1).find((model) => !this.#cooldowns.isCooling(model));
    if (next !== undefined) this.#current = next;
    return next;
  }
}
