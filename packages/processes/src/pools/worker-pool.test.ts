import { BulkheadError, systemTimers, type ToolHostCall } from '@bulkhead/protocol';
import type { WorkerConnection } from '@bulkhead/tools';
import { testCall } from '@bulkhead/tools/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WorkerPool } from './worker-pool.ts';

const never = () => new AbortController().signal;
const quiet = () => undefined;

/**
 * A boxed process as the pool knows it: answers with its own number, and ends on request of the
 * pool or the test.
 */
class FakeWorker implements WorkerConnection {
  readonly pid: number;
  readonly closed: Promise<void>;
  readonly end: () => void;
  isClosed = false;
  answer: Promise<unknown> = Promise.resolve();

  constructor(pid: number) {
    this.pid = pid;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    this.end = () => {
      this.isClosed = true;
      resolve();
    };
  }

  async run() {
    await this.answer;
    return { text: `run in ${this.pid}`, isError: false };
  }

  async plan() {
    await this.answer;
    return { text: `planned in ${this.pid}`, isError: false, changes: [] };
  }

  async inspect(_actionId: string, paths: readonly string[]) {
    await this.answer;
    return paths.map((path) => ({ path, hash: null }));
  }

  async close() {
    this.end();
  }
}

const pools: WorkerPool[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const made of pools.splice(0)) await made.close();
});

function poolOf(max = 8) {
  const workers: FakeWorker[] = [];
  const time = { now: 0 };
  const pool = new WorkerPool({
    spawn: async () => {
      const connection = new FakeWorker(workers.length + 1);
      workers.push(connection);
      return { pid: connection.pid, connection };
    },
    clock: { now: () => 0, monotonic: () => time.now },
    timers: systemTimers,
    max,
  });
  pools.push(pool);
  return { pool, workers, time };
}

function call(sessionId: string): ToolHostCall {
  return testCall('write', { path: 'a', content: '' }, { sessionId });
}

describe('WorkerPool', () => {
  it('acts, plans and looks in one worker per session and folder [A5] [T8]', async () => {
    const { pool, workers } = poolOf();
    expect((await pool.execute(call('s'), quiet, never())).text).toBe('run in 1');
    expect(await pool.plan(call('s'), never())).toEqual({
      text: 'planned in 1',
      isError: false,
      changes: [],
    });
    const where = { actionId: 'a', sessionId: 's', workingFolder: '/w', paths: ['x', 'y'] };
    expect(await pool.inspect(where, never())).toEqual([
      { path: 'x', hash: null },
      { path: 'y', hash: null },
    ]);
    expect(workers).toHaveLength(1);
    expect((await pool.plan(call('other'), never())).text).toBe('planned in 2');
    await pool.inspect({ ...where, workingFolder: '/v' }, never());
    expect(workers).toHaveLength(3);
  });

  it.each(['execute', 'plan', 'inspect'] as const)(
    'says what a lost worker could not do: %s [FT78]',
    async (verb) => {
      const { pool, workers } = poolOf();
      await pool.execute(call('s'), quiet, never());
      const lost = new BulkheadError('worker_failed', 'it is gone');
      if (workers[0] !== undefined) workers[0].answer = Promise.reject(lost);
      await expect(use(pool, verb)).rejects.toMatchObject({
        code: 'worker_failed',
        message: expect.stringMatching(
          /^the worker could not (run write|plan write|look at files): it is gone$/,
        ),
      });
      workers[0]?.end();
      await new Promise(setImmediate);
      await use(pool, verb);
      expect(workers).toHaveLength(2);
    },
  );

  it('tells a cancelled look from a failed one', async () => {
    const { pool, workers } = poolOf();
    await pool.execute(call('s'), quiet, never());
    if (workers[0] !== undefined)
      workers[0].answer = Promise.reject(new BulkheadError('cancelled', 'cancelled'));
    await expect(use(pool, 'inspect')).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('has never more than its maximum alive, however many sessions call, and serves all in order [FG10]', async () => {
    const { pool, workers } = poolOf(3);
    const alive = () => workers.filter(({ isClosed }) => !isClosed).length;
    const order: string[] = [];
    let most = 0;
    await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        await pool.execute(call(`s${index}`), quiet, never());
        order.push(`s${index}`);
        most = Math.max(most, alive());
      }),
    );
    expect(most).toBeLessThanOrEqual(3);
    expect(order).toEqual(Array.from({ length: 40 }, (_, index) => `s${index}`));
    expect(workers).toHaveLength(40);
  });

  it('ends the worker that is idle longest for a session that needs one, none that is busy', async () => {
    const { pool, workers, time } = poolOf(2);
    for (const session of ['a', 'b', 'a']) {
      time.now += 1;
      await pool.execute(call(session), quiet, never());
    }
    expect((await pool.execute(call('c'), quiet, never())).text).toBe('run in 3');
    expect(workers.map(({ isClosed }) => isClosed)).toEqual([false, true, false]);
    const { promise, resolve } = Promise.withResolvers<void>();
    for (const worker of workers) worker.answer = promise;
    const busy = [pool.execute(call('a'), quiet, never()), pool.execute(call('c'), quiet, never())];
    const waiting = pool.execute(call('d'), quiet, never());
    const left = new AbortController();
    const given = [1, 2].map(() => pool.execute(call('e'), quiet, left.signal));
    await new Promise(setImmediate);
    left.abort();
    for (const one of given) await expect(one).rejects.toMatchObject({ code: 'cancelled' });
    expect(workers).toHaveLength(3);
    resolve();
    await Promise.all(busy);
    expect((await waiting).text).toBe('run in 4');
    expect(workers).toHaveLength(4);
  });

  it('says that all were busy, and that nothing was begun, to who waits too long [FG10]', async () => {
    vi.useFakeTimers();
    const { pool, workers } = poolOf(1);
    await pool.execute(call('a'), quiet, never());
    const { promise, resolve } = Promise.withResolvers<void>();
    if (workers[0] !== undefined) workers[0].answer = promise;
    const busy = pool.execute(call('a'), quiet, never());
    const late = expect(pool.execute(call('b'), quiet, never())).rejects.toThrow(
      'all 1 workers were busy for 120 s; it was not begun',
    );
    await vi.advanceTimersByTimeAsync(120_001);
    await late;
    resolve();
    await busy;
    expect(workers).toHaveLength(1);
  });

  it('starts no worker ahead of its call when half of all places are taken', async () => {
    const { pool, workers } = poolOf(4);
    for (const session of ['a', 'b', 'c', 'd', 'e']) pool.prewarm(session, '/w');
    await new Promise(setImmediate);
    expect(workers).toHaveLength(2);
  });

  it.each(['execute', 'plan', 'inspect'] as const)(
    'ends a worker after a minute without use, and none during %s [P1]',
    async (verb) => {
      vi.useFakeTimers();
      const { pool, workers, time } = poolOf();
      const pass = (milliseconds: number): void => {
        time.now += milliseconds;
        vi.advanceTimersByTime(milliseconds);
      };
      await pool.execute(call('s'), quiet, never());
      const { promise, resolve } = Promise.withResolvers<void>();
      if (workers[0] !== undefined) workers[0].answer = promise;
      const used = use(pool, verb);
      pass(600_000);
      resolve();
      await used;
      pass(59_000);
      expect(pool.list()).toHaveLength(1);
      pass(7_000);
      expect(pool.list()).toEqual([]);
      await workers[0]?.closed;
    },
  );
});

function use(pool: WorkerPool, verb: 'execute' | 'plan' | 'inspect'): Promise<unknown> {
  if (verb === 'execute') return pool.execute(call('s'), quiet, never());
  if (verb === 'plan') return pool.plan(call('s'), never());
  return pool.inspect({ actionId: 'a', sessionId: 's', workingFolder: '/w', paths: ['x'] }, never());
}
