import { create } from '@bufbuild/protobuf';
import { conversationFlaws } from '@bulkhead/log/testing';
import { BulkheadError, type ModelCall, type ModelClient, type ModelStreamEvent } from '@bulkhead/protocol';
import { UsageSchema } from '@bulkhead/protocol/chat';
import type { SeededRandom } from '@bulkhead/testkit/simulation';
import type { FaultPlan } from './fault-plan.ts';
import type { Life } from './life.ts';
import type { ModelAnswers } from './model-answers.ts';
import { seededFailure } from './model-failures.ts';

/** A provider counts as stalled after this long without data [E6]. */
const STALL_MS = 60_000;

/**
 * A provider as one engine reaches it: it answers, fails before or during an answer, or stays
 * silent forever.
 */
export class SimulatedModel implements ModelClient {
  readonly name: string;
  readonly contextWindow = 100_000;
  readonly price = { input: 1, output: 2, cachedInput: 0.5 };
  readonly #life: Life;
  readonly #random: SeededRandom;
  readonly #answers: ModelAnswers;
  readonly #faults: () => FaultPlan;
  readonly #malformed: (what: string) => void;

  constructor(
    name: string,
    parts: {
      readonly life: Life;
      readonly random: SeededRandom;
      readonly answers: ModelAnswers;
      readonly faults: () => FaultPlan;
      /** Called if a provider would refuse the request, with the reason. */
      readonly malformed: (what: string) => void;
    },
  ) {
    this.name = name;
    this.#life = parts.life;
    this.#random = parts.random;
    this.#answers = parts.answers;
    this.#faults = parts.faults;
    this.#malformed = parts.malformed;
  }

  async *stream(call: ModelCall, signal: AbortSignal): AsyncGenerator<ModelStreamEvent> {
    this.#life.check();
    for (const flaw of conversationFlaws(call.messages)) this.#malformed(`a model was asked: ${flaw} [T9]`);
    await this.#wait('begins to answer', signal);
    const fails = this.#random.chance(this.#faults().modelFails);
    const pieces = this.#random.below(4);
    const failAfter = fails ? this.#random.below(pieces + 1) : undefined;
    for (let piece = 0; piece < pieces; piece += 1) {
      if (piece === failAfter) await this.#fail(signal);
      yield { type: this.#random.chance(0.2) ? 'thinking' : 'text', text: `piece ${piece} ` };
      await this.#wait('goes on', signal);
    }
    if (fails) await this.#fail(signal);
    const { message, stopReason } = this.#answers.answer(call);
    const usage = create(UsageSchema, { inputTokens: 1_000, outputTokens: 5 });
    yield { type: 'finish', message, stopReason, usage };
  }

  async #fail(signal: AbortSignal): Promise<never> {
    if (this.#random.chance(0.15)) {
      await this.#life.scope.wait(`${this.name} says nothing`, { ms: STALL_MS, signal });
      throw new BulkheadError('timeout', 'the provider stalled (simulated)', { retryable: true });
    }
    throw seededFailure(this.#random);
  }

  async #wait(what: string, signal: AbortSignal): Promise<void> {
    await this.#life.scope.wait(`${this.name} ${what}`, { signal });
  }
}
