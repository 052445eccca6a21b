import type { AgentConnection } from '@bulkhead/agent';
import type { Timers } from '@bulkhead/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { AgentPool, type AgentProcess } from './agent-pool.ts';

/** Stands for a boxed process, with the part that the pool uses. */
function fakeAgents() {
  const alive = new Map<number, () => void>();
  let pid = 0;
  const spawn = async (): Promise<AgentProcess> => {
    pid += 1;
    const own = pid;
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const end = (): void => {
      alive.delete(own);
      resolve();
    };
    alive.set(own, end);
    const connection = {
      closed,
      close: async () => end(),
      send: () => {},
    } as unknown as AgentConnection;
    return { pid: own, connection, next: async () => undefined, kill: end };
  };
  return { spawn, alive, started: () => pid };
}

const never = new AbortController().signal;
const pools: AgentPool[] = [];

function pool(max = 2, idleMs = 60_000) {
  const agents = fakeAgents();
  const time = { now: 0 };
  const clock = { now: () => 0, monotonic: () => time.now };
  const due: (() => void)[] = [];
  const timers: Timers = {
    after(_ms, run) {
      due.push(run);
      return { [Symbol.dispose]: () => due.splice(due.indexOf(run), 1) };
    },
  };
  const made = new AgentPool({ spawn: agents.spawn, clock, timers, max, idleMs });
  pools.push(made);
  return { ...agents, pool: made, time, due };
}

afterEach(async () => {
  for (const made of pools.splice(0)) await made.close();
});

describe('AgentPool', () => {
  it('gives a session its own agent again, and never another session’s [P1]', async () => {
    const test = pool();
    const first = await test.pool.lease('a', never);
    test.pool.release(first);
    expect(await test.pool.lease('a', never)).toBe(first);
    const second = await test.pool.lease('b', never);
    expect(second).not.toBe(first);
  });

  it('makes room by ending the agent that has been idle longest [P1]', async () => {
    const test = pool(2);
    const a = await test.pool.lease('a', never);
    const b = await test.pool.lease('b', never);
    test.pool.release(a);
    test.time.now = 10;
    test.pool.release(b);
    await test.pool.lease('c', never);
    expect(test.alive.has(a.pid)).toBe(false);
    expect(test.alive.has(b.pid)).toBe(true);
  });

  it('waits when all are busy, and gives up waiting when cancelled [P1]', async () => {
    const test = pool(1);
    const a = await test.pool.lease('a', never);
    const controller = new AbortController();
    const waiting = test.pool.lease('b', controller.signal);
    controller.abort();
    await expect(waiting).rejects.toThrow();
    const patient = test.pool.lease('c', never);
    test.pool.release(a);
    expect((await patient).pid).not.toBe(a.pid);
  });

  it('keeps one fresh agent ready and starts no second one for a lease that comes meanwhile', async () => {
    const test = pool(4);
    const warming = test.pool.prewarm();
    const leased = await test.pool.lease('a', never);
    await warming;
    expect(test.started()).toBe(1);
    expect(leased.pid).toBe(1);
  });

  it('starts a fresh agent some time after a run, and none in a pool that closes before', async () => {
    const test = pool(4);
    test.pool.release(await test.pool.lease('a', never));
    test.pool.release(await test.pool.lease('b', never));
    expect({ started: test.started(), due: test.due.length }).toEqual({ started: 2, due: 1 });
    test.due.shift()?.();
    expect(test.started()).toBe(3);
    test.pool.release(await test.pool.lease('c', never));
    await test.pool.close();
    expect(test.due).toEqual([]);
  });

  it('refuses a session whose agents die more than five times in a minute, and no other [P8]', async () => {
    const test = pool();
    for (let death = 0; death < 5; death += 1) test.pool.noteDeath('a');
    expect(() => test.pool.noteDeath('a')).toThrow('more than 5 times');
    expect(() => test.pool.noteDeath('b')).not.toThrow();
  });

  it('forgets an agent that died', async () => {
    const test = pool();
    const dead = await test.pool.lease('a', never);
    dead.kill();
    await Promise.resolve();
    test.pool.release(dead);
    expect(await test.pool.lease('a', never)).not.toBe(dead);
  });

  it('ends all of them when it is closed', async () => {
    const test = pool();
    await test.pool.lease('a', never);
    await test.pool.prewarm();
    await test.pool.close();
    expect(test.alive.size).toBe(0);
    await expect(test.pool.lease('a', never)).rejects.toThrow('stopping');
  });
});
