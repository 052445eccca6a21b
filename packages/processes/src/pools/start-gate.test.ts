import { describe, expect, it } from 'vitest';
import { StartGate } from './start-gate.ts';

describe('StartGate', () => {
  it('starts no more than its width at once, in order, and none in the turn that asked [FG10]', async () => {
    const gate = new StartGate(2);
    const order: number[] = [];
    let now = 0;
    let most = 0;
    const starts = Array.from({ length: 7 }, (_, index) =>
      gate.run(async () => {
        order.push(index);
        now += 1;
        most = Math.max(most, now);
        await new Promise((resolve) => setTimeout(resolve, 1));
        now -= 1;
        return index;
      }),
    );
    await Promise.resolve();
    expect(order).toEqual([]);
    await expect(Promise.all(starts)).resolves.toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(most).toBe(2);
  });

  it('gives its place back after a start that failed', async () => {
    const gate = new StartGate(1);
    await expect(gate.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(gate.run(async () => 'yes')).resolves.toBe('yes');
  });
});
