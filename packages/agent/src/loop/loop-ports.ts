import type { ModelAnswer, SteerDelivery, ToolResultDelivery } from '@bulkhead/protocol/agent';
import type { LoopEvent } from './loop-event.ts';

/**
 * The loop's source of requested results. Each awaiting method is called once per id, after the
 * requesting event in the same tick; an earlier answer must be kept. A rejection ends the run with
 * an error.
 */
export interface LoopResults {
  model(requestId: string): Promise<ModelAnswer>;
  toolResult(callId: string): Promise<ToolResultDelivery>;
  /**
   * Takes the person's messages for this step [L8]: in order, all that arrived before the last
   * delivered answer, each once. Called once per batch, when all its calls are answered.
   */
  steers(): readonly SteerDelivery[];
}

/** Everything the loop needs beside its request. */
export interface LoopPorts {
  /** Must not throw. */
  emit(event: LoopEvent): void;
  readonly results: LoopResults;
  /** Ends the run immediately, whatever it waits for. */
  readonly signal: AbortSignal;
}
