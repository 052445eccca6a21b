import type { BulkheadError } from '@bulkhead/protocol';
import type { ModelAnswer, SteerDelivery, ToolResultDelivery } from '@bulkhead/protocol/agent';
import type { LoopResults } from '../loop/loop-ports.ts';

/** Passes the engine's results by id to the run's waiting loop. */
export class ResultChannel implements LoopResults {
  readonly #answers = new AnswersById<ModelAnswer>();
  readonly #toolResults = new AnswersById<ToolResultDelivery>();
  /** Steers without a later result: they belong to a later step. */
  #early: SteerDelivery[] = [];
  #due: SteerDelivery[] = [];

  model(requestId: string): Promise<ModelAnswer> {
    return this.#answers.take(requestId);
  }

  toolResult(callId: string): Promise<ToolResultDelivery> {
    return this.#toolResults.take(callId);
  }

  /**
   * Steers that came before the last result, by the order of the stream and not by when the loop
   * looks.
   */
  steers(): readonly SteerDelivery[] {
    return this.#due.splice(0);
  }

  deliverSteer(steer: SteerDelivery): void {
    this.#early.push(steer);
  }

  deliverAnswer(answer: ModelAnswer): void {
    this.#answers.of(answer.requestId).resolve(answer);
  }

  deliverToolResult(delivery: ToolResultDelivery): void {
    this.#due.push(...this.#early.splice(0));
    this.#toolResults.of(delivery.result?.callId ?? '').resolve(delivery);
  }

  failToolResult(callId: string, error: BulkheadError): void {
    this.#toolResults.of(callId).reject(error);
  }
}

/** Answers and their waiters, whichever comes first. */
class AnswersById<T> {
  readonly #entries = new Map<string, PromiseWithResolvers<T>>();

  of(id: string): PromiseWithResolvers<T> {
    let entry = this.#entries.get(id);
    if (entry === undefined) {
      entry = Promise.withResolvers<T>();
      this.#entries.set(id, entry);
    }
    return entry;
  }

  /** Waits for the answer and forgets it: providers reuse ids from one round to the next. */
  async take(id: string): Promise<T> {
    try {
      return await this.of(id).promise;
    } finally {
      this.#entries.delete(id);
    }
  }
}
