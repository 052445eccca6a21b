import { describe, expect, it } from 'vitest';
import { Scheduler } from './scheduler.ts';
import { SeededRandom } from './seeded-random.ts';
import { Trace } from './trace.ts';
import { VirtualTime } from './virtual-time.ts';

function world(seed = 1) {
  const random = new SeededRandom(seed);
  const time = new VirtualTime();
  const trace = new Trace(1_000);
  const scheduler = new Scheduler(random, time, trace);
  const run = async (until?: number) => {
    while (await scheduler.step(until));
  };
  return { time, trace, scheduler, scope: scheduler.scope('world'), run };
}

describe('Scheduler', () => {
  it('lets the seed choose the order, the same order for the same seed', async () => {
    const orderOf = async (seed: number) => {
      const { scope, run } = world(seed);
      const order: number[] = [];
      for (let n = 0; n < 20; n += 1) scope.later(`event ${n}`, () => order.push(n));
      await run();
      return order.join();
    };
    expect(await orderOf(7)).toBe(await orderOf(7));
    expect(new Set([await orderOf(1), await orderOf(2), await orderOf(3)]).size).toBe(3);
  });

  it('keeps the order within a lane', async () => {
    const { scope, run } = world();
    const order: number[] = [];
    for (let n = 0; n < 50; n += 1) scope.send('lane', `event ${n}`, () => order.push(n));
    await run();
    expect(order).toEqual([...order.keys()]);
  });

  it('finishes every microtask before the next event', async () => {
    const { scope, run } = world();
    let depth = 0;
    const seen: number[] = [];
    const work = async () => {
      depth += 1;
      for (let n = 0; n < 100; n += 1) await undefined;
      seen.push(depth);
      depth -= 1;
    };
    for (let n = 0; n < 10; n += 1) scope.later('work', () => void work());
    await run();
    expect(seen).toEqual(Array(10).fill(1));
  });

  it('jumps to the next timer, and no further than its limit', async () => {
    const { scope, run, time } = world();
    const fired: number[] = [];
    for (const ms of [500, 60_000]) scope.after(ms, () => fired.push(ms));
    await run(1_000);
    expect(fired).toEqual([500]);
    expect(time.monotonic()).toBeGreaterThanOrEqual(500);
    expect(time.monotonic()).toBeLessThan(1_000);
    await run();
    expect(fired).toEqual([500, 60_000]);
  });

  it('drops what an ended part of the world had asked for', async () => {
    const { scope, run, scheduler } = world();
    const other = scheduler.scope('other');
    let happened = 0;
    other.after(1, () => {
      happened += 1;
    });
    other.end();
    other.later('too late', () => {
      happened += 1;
    });
    scope.later('alive', () => {
      happened += 10;
    });
    await run();
    expect(happened).toBe(10);
  });

  it('ends a wait when its signal aborts', async () => {
    const { scope, run } = world();
    const controller = new AbortController();
    const waiting = scope.wait('for ever', { ms: 1_000_000, signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await run();
  });
});

describe('VirtualTime', () => {
  it('lets the wall jump and monotonic time only rise [FT83]', () => {
    const time = new VirtualTime();
    const before = time.now();
    time.advanceTo(50);
    time.jumpWall(-86_400_000);
    time.advanceTo(10);
    expect(time.monotonic()).toBe(50);
    expect(time.now()).toBe(before + 50 - 86_400_000);
  });
});
