import type { BulkheadError } from '@bulkhead/protocol';
import type { ModelAnswer, SteerDelivery, ToolResultDelivery } from '@bulkhead/protocol/agent';
import type { LoopResults } from '../loop/loop-ports.ts';

/** Brings what the engine delivers to the loop of one run that waits for it, by id. */
export class ResultChannel implements LoopResults {
  readonly #answers = new AnswersById<ModelAnswer>();
  readonly #toolResults = new AnswersById<ToolResultDelivery>();
  /** Steers that no result has followed yet: they belong to a later step. */
  #early: SteerDelivery[] = [];
  #due: SteerDelivery[] = [];

  model(requestId: string): Promise<ModelAnswer> {
    return this.#answers.take(requestId);
  }

  toolResult(callId: string): Promise<ToolResultDelivery> {
    return this.#toolResults.take(callId);
  }

  /** What came before the last result so far, by the order of the stream and not by when the loop looks. */
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

/** Answers and those who wait for them, whichever comes first. */
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
