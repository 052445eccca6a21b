import type { EffectClass } from '@bulkhead/protocol';

/** One execution by a tool, and its progress. */
export interface Execution {
  readonly actionId: string;
  readonly sessionId: string;
  readonly tool: string;
  readonly effect: EffectClass;
  /**
   * Identifies the model's request: equal in every execution of one call, and in no other call
   * unless the model repeats it.
   */
  readonly token: string;
  /** Number of the engine that started it, from 1. */
  readonly life: number;
  happened: boolean;
  answered: boolean;
}

/** The real effects outside: the truth to compare logs with. Crashes do not touch it. */
export class EffectLedger {
  readonly executions: Execution[] = [];

  start(execution: Omit<Execution, 'happened' | 'answered'>): Execution {
    const started = { ...execution, happened: false, answered: false };
    this.executions.push(started);
    return started;
  }

  ofAction(actionId: string): readonly Execution[] {
    return this.executions.filter((execution) => execution.actionId === actionId);
  }
}
