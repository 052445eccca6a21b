import { BulkheadError } from '@bulkhead/protocol';
import { createMemorySessionStore } from '@bulkhead/sessions';
import { describe, expect, it } from 'vitest';
import { sessionStage } from '../testing/session-stage.ts';

const call = (path: string): readonly [string, object] => ['write', { path, content: 'x' }];

describe('a disk that is full', () => {
  it('refuses a message whole, or keeps it [FT80]', async () => {
    const full = fullDisk();
    const test = sessionStage({ store: full.store });
    const session = test.create();
    full.refuse(Number.POSITIVE_INFINITY);
    await expect(test.send(session, 'a')).rejects.toThrow('no space');
    full.refuse(0);
    await test.settle();
    expect(test.outcomes(session)).toEqual([]);
    test.send(session, 'a');
    await test.settle();
    expect(test.outcomes(session)).toEqual(['a completed']);
  });

  it('stops the run before an effect, and goes on when there is space again [FT80]', async () => {
    const full = fullDisk();
    const test = sessionStage({ store: full.store, replies: [{ calls: [call('f')], waitMs: 100 }] });
    const session = test.create();
    test.send(session, 'a');
    await test.settle(50);
    full.refuse(Number.POSITIVE_INFINITY);
    await test.settle(20_000);
    expect(test.calls).toEqual([]);
    expect(test.outcomes(session)).toEqual([]);
    expect(test.failures.length).toBeGreaterThan(0);
    full.refuse(0);
    await test.settle();
    expect(test.outcomes(session)).toEqual(['a completed']);
    expect(test.events(session).filter(({ type }) => type === 'settled')).toHaveLength(1);
  });
});

/** A store whose next appends fail. */
function fullDisk() {
  let left = 0;
  const memory = createMemorySessionStore();
  const store = new Proxy(memory, {
    get(target, name: keyof typeof memory) {
      if (name !== 'append') return Reflect.get(target, name);
      return (...args: Parameters<typeof memory.append>) => {
        if (left > 0) {
          left -= 1;
          throw new BulkheadError('store_failed', 'no space left', { retryable: true });
        }
        return target.append(...args);
      };
    },
  });
  return {
    store,
    refuse: (times: number) => {
      left = times;
    },
  };
}
