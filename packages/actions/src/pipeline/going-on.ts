import type { Action } from '@bulkhead/protocol';

/**
 * Commands that run, or go on after their call, by the ids of their actions: their later changes are
 * their action's. They end with the engine, so no one else needs to know.
 */
export class GoingOn {
  readonly #actions = new Map<string, Action>();

  /** Before it starts: it may have ended before its call has. */
  begun(action: Action): void {
    this.#actions.set(action.id, action);
  }

  actionOf(id: string): Action | undefined {
    return this.#actions.get(id);
  }

  /** Nothing of it runs, and its changes are settled. */
  over(id: string): void {
    this.#actions.delete(id);
  }
}
