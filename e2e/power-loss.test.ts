import { describe, expect, it } from 'vitest';
import { losePower, type PowerPlan, powerObstacle } from './power/lose-power.ts';

const obstacle = powerObstacle();
/** A share: `npm run proof -- --only power` tries every state. */
const SHARE: Omit<PowerPlan, 'kind' | 'count'> = {
  seed: 1,
  samples: 1,
  undoShare: 0.25,
  maxSeconds: 15,
  atLeast: 2,
};
const WITHIN_MS = 600_000;

async function violations(plan: Pick<PowerPlan, 'kind' | 'count'>) {
  const { losses } = await losePower({ ...SHARE, ...plan });
  expect(losses.length).toBeGreaterThanOrEqual(SHARE.atLeast);
  return losses.filter((loss) => loss.violations.length > 0);
}

describe('the harness', { timeout: WITHIN_MS }, () => {
  it('writes down every change of a disk, also by the kernel in an overlay, and makes the same disk of it', async ({
    skip,
  }) => {
    if (obstacle !== undefined) skip(`${obstacle}: nothing is proved`);
    const { losses } = await losePower({ ...SHARE, kind: 'self', count: 1 });
    expect(losses).toEqual([{ place: 'self', violations: [], retold: [] }]);
  });
});

describe('a loss of power', { timeout: WITHIN_MS }, () => {
  it('at any moment of the first start leaves a home that starts with its policies [FT79]', async ({
    skip,
  }) => {
    if (obstacle !== undefined) skip(`${obstacle}: nothing is proved`);
    expect(await violations({ kind: 'first', count: 2 })).toEqual([]);
  });

  it('at any recorded operation, with unflushed data lost, torn or out of order, takes back nothing that a client received [FR7] [FG4] [T8]', async ({
    skip,
  }) => {
    if (obstacle !== undefined) skip(`${obstacle}: nothing is proved`);
    expect(await violations({ kind: 'work', count: 4 })).toEqual([]);
  });

  it('of a real ext4 at a random moment takes back nothing that a client received [FR7] [FG4] [T8]', async ({
    skip,
  }) => {
    if (obstacle !== undefined) skip(`${obstacle}: nothing is proved`);
    expect(await violations({ kind: 'cut', count: 2 })).toEqual([]);
  });
});
