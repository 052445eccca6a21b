import { sweepOf } from '@bulkhead/testkit/sweep';
import { expect, it } from 'vitest';
import { ChronicleStage } from '../testing/chronicle-stage.ts';
import { randomNumbers, randomOperation } from '../testing/random-operations.ts';
import { treeOf } from '../testing/tree-of.ts';

/** Operations in total: `CHRONICLE_OPS=10000` for the whole proof. */
const OPERATIONS = Number(process.env['CHRONICLE_OPS'] ?? sweepOf(100, 10_000));
/** Operations between two rollbacks. */
const ROUND = 25;

it(
  `restores trees byte for byte after ${OPERATIONS} random changes, one by one and as whole answers [U2] [FT89]`,
  async () => {
    using stage = new ChronicleStage({ retention: { snapshots: 10_000, days: 30, maxBytes: 1e12 } });
    const random = randomNumbers(20_261_122);
    for (let done = 0; done < OPERATIONS; done += ROUND) {
      const states: { readonly id: string; readonly tree: readonly string[] }[] = [];
      const log: string[] = [];
      for (let count = 0; count < ROUND; count += 1) {
        const operation = randomOperation(stage.folder, random);
        const tree = treeOf(stage.folder);
        const id = await stage.act(operation.paths, operation.act);
        log.push(operation.about);
        if (stage.chronicle.has(id)) states.push({ id, tree });
      }
      const kept = states.length;
      // Some rounds roll back at once, some step by step, and some not at all, so that trees grow.
      const way = random(3);
      if (way === 0 && kept > 0) {
        const report = await stage.rollBack(states.map(({ id }) => id));
        expect({ conflicts: report.conflicts, log }).toEqual({ conflicts: [], log });
        expect(treeOf(stage.folder), log.join('\n')).toEqual(states[0]?.tree);
      }
      for (const { id, tree } of way === 1 ? states.toReversed() : []) {
        const report = await stage.rollBack([id]);
        expect({ conflicts: report.conflicts, log }).toEqual({ conflicts: [], log });
        expect(treeOf(stage.folder), log.join('\n')).toEqual(tree);
      }
    }
  },
  60_000 + OPERATIONS * 100,
);
