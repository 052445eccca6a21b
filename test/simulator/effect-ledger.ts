import type { EffectClass } from '@bulkhead/protocol';

/** One time a tool was told to act, and how far it came. */
export interface Execution {
  readonly actionId: string;
  readonly sessionId: string;
  readonly tool: string;
  readonly effect: EffectClass;
  /** Names the model's wish: the same in every execution of one call, and in no other call unless the model repeats it. */
  readonly token: string;
  /** Which engine told it, from 1. */
  readonly life: number;
  happened: boolean;
  answered: boolean;
}

/** What really happened outside: the truth that logs are compared with. No crash touches it. */
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
