import { ClientService, type SnapshotSummary } from '@bulkhead/protocol/client';
import type { Api } from '../api/api.ts';

/**
 * The undone actions and answers, from the engine's records, so that a reloaded page knows them.
 */
export class TakenBack {
  readonly #api: Api;
  #snapshots: readonly SnapshotSummary[] = $state.raw([]);
  #knowing: Promise<void> | undefined;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Loads them once: `refresh` reports later changes on this page. */
  know(): Promise<void> {
    this.#knowing ??= this.refresh().catch((error: unknown) => {
      this.#knowing = undefined;
      throw error;
    });
    return this.#knowing;
  }

  async refresh(): Promise<void> {
    this.#snapshots = (await this.#api.call(ClientService.method.listSnapshots, {})).snapshots;
  }

  /**
   * @param id of an action; for a whole answer, of its run
   * @returns the rollback that undid it; undefined if any part was kept
   */
  by(id: string, isTurn: boolean): string | undefined {
    const own = this.#snapshots.filter(
      (snapshot) => (isTurn ? snapshot.runId : snapshot.id) === id && snapshot.undoes.length === 0,
    );
    const stands = own.length === 0 || own.some(({ undoneBy }) => undoneBy === '');
    return stands ? undefined : own[0]?.undoneBy;
  }
}
