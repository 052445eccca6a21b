import type { AttachRequest, AttachResponse } from '@bulkhead/protocol/agent';

type AgentDirectiveName = AttachResponse['directive']['case'];

/**
 * Knows what an agent may say at a given moment. Only the order is judged here: what a proposal is worth is
 * for the engine to decide.
 */
export class EventOrder {
  readonly #runs = new Set<string>();
  /** Compactions that have no result yet. */
  #unanswered = 0;

  /** Notes a directive that was sent. */
  sent(directive: AgentDirectiveName, runId: string): void {
    if (directive === 'process') this.#runs.add(runId);
    if (directive === 'compact') this.#unanswered += 1;
  }

  /** @returns what is wrong with `event`, or undefined if it may come now */
  violation(event: AttachRequest['event']): string | undefined {
    switch (event.case) {
      case undefined:
        return 'the agent sent an event this version does not know';
      case 'ready':
        return 'the agent said twice that it is ready';
      case 'complete':
        return this.#end(event.value.runId, event.case);
      case 'error':
        if (event.value.runId !== '') return this.#end(event.value.runId, event.case);
        return this.#answer(event.case);
      case 'compactionResult':
        return this.#answer(event.case);
      case 'memoryFlush':
      case 'modelRequest':
        return this.#runs.size + this.#unanswered === 0
          ? `the agent sent ${event.case} outside a run`
          : undefined;
      default:
        return this.#runs.size === 0 ? `the agent sent ${event.case} outside a run` : undefined;
    }
  }

  #end(runId: string, name: string): string | undefined {
    return this.#runs.delete(runId) ? undefined : `the agent sent ${name} for a run it was not given`;
  }

  #answer(name: string): string | undefined {
    if (this.#unanswered === 0) return `the agent sent ${name} though nothing asked for it`;
    this.#unanswered -= 1;
    return undefined;
  }
}
