import type { ModelAnswer, SteerDelivery, ToolResultDelivery } from '@bulkhead/protocol/agent';
import type { LoopEvent } from './loop-event.ts';

/**
 * Where the loop awaits what it asked for. Each awaiting method is called once per id, in the same tick as the
 * event that asked, after it; an answer that came earlier must be kept. A rejection ends the run with an error.
 */
export interface LoopResults {
  model(requestId: string): Promise<ModelAnswer>;
  toolResult(callId: string): Promise<ToolResultDelivery>;
  /**
   * Takes what a person said for this step [L8]: in order, all that came before the answer that was delivered last,
   * each once. Called once per batch, when all its calls are answered.
   */
  steers(): readonly SteerDelivery[];
}

/** All that the loop knows of the world outside its request. */
export interface LoopPorts {
  /** Must not throw. */
  emit(event: LoopEvent): void;
  readonly results: LoopResults;
  /** Ends the run at once, whatever it waits for. */
  readonly signal: AbortSignal;
}
