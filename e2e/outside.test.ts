import { fileURLToPath } from 'node:url';
import { sweepOf } from '@bulkhead/testkit/sweep';
import { describe, expect, it } from 'vitest';
import { ROWS } from './outside/all-rows.ts';
import { TaskModel } from './outside/task-model.ts';

const LIMIT_MS = 540_000;
/** The rows that no other test here tries in the same way; `npm run faults` tries all. */
const SHARE: readonly string[] = ['K', 'W-lock'];

describe('the table of faults, from outside', () => {
  it.each(ROWS.filter(({ id }) => SHARE.includes(id)))(
    'keeps every promise: $fault [T8] [FG4]',
    { timeout: LIMIT_MS },
    async (row) => {
      await using model = await TaskModel.serve();
      const command = fileURLToPath(new URL('../bulkhead', import.meta.url));
      const { violations } = await row.run({ command, model, scale: sweepOf(0.5, 1), say: () => {} });
      expect(violations).toEqual([]);
    },
  );
});
