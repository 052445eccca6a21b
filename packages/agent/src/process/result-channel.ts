import { create } from '@bufbuild/protobuf';
import type { BulkheadError } from '@bulkhead/protocol';
import {
  type ModelDelta,
  ModelDeltaSchema,
  type SkillsDelivery,
  type SteerDelivery,
  type ToolDefsDelivery,
  type ToolResultDelivery,
} from '@bulkhead/protocol/agent';
import type { LoopResults } from '../loop/loop-ports.ts';
import { DeltaQueue } from './delta-queue.ts';

/** Brings what the engine delivers to the loop of one run that waits for it, by id. */
export class ResultChannel implements LoopResults {
  readonly #models = new Map<string, DeltaQueue>();
  readonly #toolResults = new AnswersById<ToolResultDelivery>();
  readonly #toolDefs = new AnswersById<ToolDefsDelivery>();
  readonly #skills = new AnswersById<SkillsDelivery>();
  /** Steers that no answer has followed yet: they belong to a later step. */
  #early: SteerDelivery[] = [];
  #due: SteerDelivery[] = [];

  model(requestId: string): DeltaQueue {
    let queue = this.#models.get(requestId);
    if (queue === undefined) {
      queue = new DeltaQueue();
      this.#models.set(requestId, queue);
    }
    return queue;
  }

  toolResult(callId: string): Promise<ToolResultDelivery> {
    return this.#toolResults.take(callId);
  }

  toolDefs(callId: string): Promise<ToolDefsDelivery> {
    return this.#toolDefs.take(callId);
  }

  skills(callId: string): Promise<SkillsDelivery> {
    return this.#skills.take(callId);
  }

  /** What came before the last answer so far, by the order of the stream and not by when the loop looks. */
  steers(): readonly SteerDelivery[] {
    const due = this.#due;
    this.#due = [];
    return due;
  }

  deliverSteer(steer: SteerDelivery): void {
    this.#early.push(steer);
  }

  deliverDelta(delta: ModelDelta): void {
    this.model(delta.requestId).push(delta);
  }

  deliverToolResult(delivery: ToolResultDelivery): void {
    this.#ripen();
    this.#toolResults.of(delivery.result?.callId ?? '').resolve(delivery);
  }

  deliverToolDefs(delivery: ToolDefsDelivery): void {
    this.#ripen();
    this.#toolDefs.of(delivery.callId).resolve(delivery);
  }

  deliverSkills(delivery: SkillsDelivery): void {
    this.#ripen();
    this.#skills.of(delivery.callId).resolve(delivery);
  }

  failModel(requestId: string, { code, message }: BulkheadError): void {
    const failed = { code, message, retryable: false };
    this.deliverDelta(create(ModelDeltaSchema, { requestId, delta: { case: 'failed', value: failed } }));
  }

  failToolResult(callId: string, error: BulkheadError): void {
    this.#toolResults.of(callId).reject(error);
  }

  failToolDefs(callId: string, error: BulkheadError): void {
    this.#toolDefs.of(callId).reject(error);
  }

  failSkills(callId: string, error: BulkheadError): void {
    this.#skills.of(callId).reject(error);
  }

  #ripen(): void {
    this.#due.push(...this.#early);
    this.#early = [];
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
