import type { AttachRequest, AttachResponse } from '@bulkhead/protocol/agent';

type AgentDirectiveName = AttachResponse['directive']['case'];

/**
 * Knows which events an agent may send at a given moment. Checks only the order: the engine judges
 * proposals.
 */
export class EventOrder {
  readonly #runs = new Set<string>();

  /** Notes a directive that was sent. */
  sent(directive: AgentDirectiveName, runId: string): void {
    if (directive === 'process') this.#runs.add(runId);
  }

  /** @returns the violation by `event`, or undefined if it may come now */
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
