import { readdirSync, readFileSync } from 'node:fs';
import { flushFolder, putFile } from '@bulkhead/files';
import { BulkheadError } from '@bulkhead/protocol';
import * as z from 'zod';
import { objectStateSchema } from '../object-state.ts';
import { removeOwnFile } from '../store/own-files.ts';
import type { RestoreStep } from './plan-rollback.ts';

const schema = z.strictObject({
  version: z.literal(1),
  id: z.string().regex(/^[0-9A-Za-z_-]{1,64}$/),
  steps: z.array(z.strictObject({ path: z.string().min(1), from: objectStateSchema, to: objectStateSchema })),
});

export interface OpenRollback {
  /** Of its snapshot. */
  readonly id: string;
  readonly steps: readonly RestoreStep[];
}

/** Records a rollback's plan on the disk, before its first step and until its last. */
export class RollbackJournal {
  readonly #folder: string;

  /** @param folder exists, and is private */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async put({ id, steps }: OpenRollback): Promise<void> {
    await putFile(this.#path(id), JSON.stringify({ version: 1, id, steps }));
  }

  /** Durable on return: a journal that reappeared after a power loss would undo later work. */
  async remove(id: string): Promise<void> {
    removeOwnFile(this.#path(id));
    await flushFolder(this.#folder);
  }

  /**
   * Returns rollbacks that a crash or an error interrupted. @throws BulkheadError `store_corrupt`
   */
  open(): OpenRollback[] {
    return readdirSync(this.#folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => this.#read(`${this.#folder}/${name}`));
  }

  #read(path: string): OpenRollback {
    try {
      return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
    } catch (cause) {
      throw new BulkheadError('store_corrupt', `${path} can't be read`, {
        fix: 'It says what a rollback had begun to restore. Move it away to go on without.',
        cause,
      });
    }
  }

  #path(id: string): string {
    return `${this.#folder}/${id}.json`;
  }
}
