import { BulkheadError, systemTimers } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { FairPlaces } from './fair-places.ts';

const never = new AbortController().signal;

function placesOf(places: number, waitMs = 60_000): FairPlaces {
  return new FairPlaces({
    places,
    timers: systemTimers,
    waitMs,
    full: (seconds) => new BulkheadError('busy', `all were taken for ${seconds} s`),
  });
}

describe('FairPlaces', () => {
  it('lets so many in at once, the others in the order they came [FG10]', async () => {
    const places = placesOf(2);
    const order: number[] = [];
    let [now, most] = [0, 0];
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        using _place = await places.enter(never);
        order.push(index);
        now += 1;
        most = Math.max(most, now);
        await new Promise((resolve) => setTimeout(resolve, 1));
        now -= 1;
      }),
    );
    expect(most).toBe(2);
    expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index));
    expect([places.isFull, places.waiting]).toEqual([false, 0]);
  });

  it('takes out of line who is cancelled or waited too long, and says which [FG10]', async () => {
    const places = placesOf(1, 20);
    const held = await places.enter(never);
    const left = new AbortController();
    const cancelled = places.enter(left.signal);
    const late = places.enter(never);
    left.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    await expect(late).rejects.toMatchObject({ code: 'busy', message: 'all were taken for 0.02 s' });
    await expect(places.enter(AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
    expect(places.waiting).toBe(0);
    held[Symbol.dispose]();
    held[Symbol.dispose]();
    const [one] = [await places.enter(never)];
    expect(places.isFull).toBe(true);
    one[Symbol.dispose]();
    expect(places.isFull).toBe(false);
  });
});
