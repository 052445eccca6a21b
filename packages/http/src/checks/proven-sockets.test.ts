import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { TestAccess } from '../testing/test-access.ts';
import { ProvenSockets } from './proven-sockets.ts';

const owner = { id: 'o', kind: 'owner', name: '' } as const;
const login = { id: 'l', kind: 'login', name: '' } as const;

/** Timers that fire on request of a test. */
function heldTimers() {
  const held: { readonly ms: number; run(): void }[] = [];
  return {
    held,
    after: (ms: number, run: () => void): Disposable => {
      held.push({ ms, run });
      return { [Symbol.dispose]: () => {} };
    },
  };
}

describe('ProvenSockets', () => {
  it('ends the sockets of a proof within a second of its end, others not [FT38]', () => {
    const access = new TestAccess();
    const timers = heldTimers();
    using sockets = new ProvenSockets(access, timers);
    const [first, second, other] = [new PassThrough(), new PassThrough(), new PassThrough()];
    for (const socket of [first, second]) sockets.bind(owner, socket);
    sockets.bind(owner, first);
    sockets.bind(login, other);
    const told: string[] = [];
    sockets.onEnd(owner, () => told.push('owner'));
    sockets.onEnd(login, () => told.push('login'));
    sockets.onEnd(owner, () => told.push('gone'))[Symbol.dispose]();
    access.end('o');
    expect(told).toEqual(['owner']);
    expect(timers.held.map(({ ms }) => ms < 1_000)).toEqual([true]);
    timers.held[0]?.run();
    expect([first, second, other].map(({ destroyed }) => destroyed)).toEqual([true, true, false]);
  });
});
