import { describe, expect, it } from 'vitest';
import { RecentWalk } from './recent-walk.ts';

const HOUR_MS = 3_600_000;

/** A walk that finds what is put into `found`, at a time of its own. */
function walked() {
  const time = { now: 1_000 * HOUR_MS, monotonic: 5_000 };
  const found = new Set<string>();
  let walks = 0;
  const clock = { now: () => time.now, monotonic: () => time.monotonic };
  const walk = new RecentWalk(async () => {
    walks += 1;
    return new Set(found);
  }, clock);
  const pass = (ms: number, step = 0) => {
    time.now += ms + step;
    time.monotonic += ms;
  };
  const object = (ino: bigint, changedMsAgo: number) => ({
    dev: 1n,
    ino,
    ctimeNs: BigInt(time.now - changedMsAgo) * 1_000_000n,
  });
  return { walk, found, object, pass, walks: () => walks };
}

describe('RecentWalk', () => {
  it('walks once for many objects that were long so, and again after two seconds', async () => {
    const { walk, found, object, pass, walks } = walked();
    found.add('1:7');
    expect(await walk.finds([object(7n, HOUR_MS), object(8n, HOUR_MS)])).toEqual([true, false]);
    pass(1_500);
    expect(await walk.finds([object(8n, HOUR_MS)])).toEqual([false]);
    expect(walks()).toBe(1);
    pass(600);
    expect(await walk.finds([object(8n, HOUR_MS)])).toEqual([false]);
    expect(walks()).toBe(2);
  });

  it('takes no earlier walk for an object that was linked since, nor for an inode that is used again [FT13]', async () => {
    const { walk, found, object, pass, walks } = walked();
    found.add('1:7');
    await walk.finds([object(7n, HOUR_MS)]);
    pass(50);
    found.clear();
    found.add('1:8');
    expect(await walk.finds([object(8n, 10), object(7n, 10)])).toEqual([true, false]);
    expect(walks()).toBe(2);
  });

  it('takes no earlier walk after the time of day was set [FT13]', async () => {
    const { walk, found, object, pass } = walked();
    await walk.finds([object(8n, HOUR_MS)]);
    pass(50, -2 * HOUR_MS);
    found.add('1:8');
    expect(await walk.finds([object(8n, 0)])).toEqual([true]);
  });

  it('begins after the question, however many ask at once, and goes on after one that failed', async () => {
    let fails = true;
    let walks = 0;
    const walk = new RecentWalk(
      async () => {
        walks += 1;
        await new Promise(setImmediate);
        if (fails) throw new Error('no folder');
        return new Set(['1:1']);
      },
      { now: () => 0, monotonic: () => 0 },
    );
    const one = { dev: 1n, ino: 1n, ctimeNs: 0n };
    await expect(walk.finds([one])).rejects.toThrow('no folder');
    fails = false;
    const first = walk.finds([one]);
    await new Promise(setImmediate);
    const later = [walk.finds([one]), walk.finds([one])];
    expect(await Promise.all([first, ...later])).toEqual([[true], [true], [true]]);
    expect(walks).toBe(3);
  });
});
