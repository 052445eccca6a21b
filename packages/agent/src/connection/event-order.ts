import type { AttachRequest, AttachResponse } from '@bulkhead/protocol/agent';

type AgentDirectiveName = AttachResponse['directive']['case'];

/**
 * Knows what an agent may say at a given moment. Only the order is judged here: what a proposal is worth is
 * for the engine to decide.
 */
export class EventOrder {
  readonly #runs = new Set<string>();

  /** Notes a directive that was sent. */
  sent(directive: AgentDirectiveName, runId: string): void {
    if (directive === 'process') this.#runs.add(runId);
  }

  /** @returns what is wrong with `event`, or undefined if it may come now */
  violation(event: AttachRequest['event']): string | undefined {
    switch (event.case) {
      case undefined:
        return 'the agent sent an event this version does not know';
      case 'ready':
        return 'the agent said twice that it is ready';
      case 'complete':
      case 'error':
        if (this.#runs.delete(event.value.runId)) return undefined;
        return `the agent sent ${event.case} for a run it was not given`;
      default:
        return this.#runs.size === 0 ? `the agent sent ${event.case} outside a run` : undefined;
    }
  }
}
