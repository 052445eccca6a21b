import type { Timers } from '@bulkhead/protocol';
import { expect, it } from 'vitest';
import { choosePort } from './choose-port.ts';

/** Timers that are due at once. */
const timers: Timers = {
  after: (_ms, run) => {
    queueMicrotask(run);
    return { [Symbol.dispose]: () => {} };
  },
};

/** Listens on ports that are not taken; `tried` receives each attempt. */
const listening = (isFree: (port: number, tried: readonly number[]) => boolean, tried: number[]) => {
  return async (port: number) => {
    tried.push(port);
    return isFree(port, tried) ? { port } : undefined;
  };
};

const keeping = (port: number | undefined) => ({ read: () => port, keep: () => {} });

it('takes the port of the last start, also one outside the range [I3]', async () => {
  const tried: number[] = [];
  const listen = listening(() => true, tried);
  expect(await choosePort(listen, { kept: keeping(9000), timers })).toEqual({ port: 9000 });
  expect(tried).toEqual([9000]);
});

it('waits for the port of the last start while an engine that ends still holds it [I3]', async () => {
  const tried: number[] = [];
  const listen = listening((port, all) => port === 7415 && all.length > 5, tried);
  expect(await choosePort(listen, { kept: keeping(7415), timers })).toEqual({ port: 7415 });
  expect(new Set(tried)).toEqual(new Set([7415]));
});

it('tries the range in order, then any port, when no start was before or its port stays taken', async () => {
  const tried: number[] = [];
  const listen = listening((port) => port === 7413, tried);
  expect(await choosePort(listen, { kept: keeping(undefined), timers })).toEqual({ port: 7413 });
  expect(tried).toEqual([7411, 7412, 7413]);
  const all: number[] = [];
  expect(
    await choosePort(
      listening((port) => port === 0, all),
      { kept: keeping(7412), timers },
    ),
  ).toEqual({
    port: 0,
  });
  expect([...new Set(all)]).toEqual([7412, 7411, ...Array.from({ length: 15 }, (_, at) => 7413 + at), 0]);
});
