import { describe, expect, it } from 'vitest';
import { FailedProofs } from './failed-proofs.ts';
import { RequestRate } from './request-rate.ts';

function heldClock() {
  const time = { now: 5 };
  return { time, clock: { monotonic: () => time.now } };
}

const tooMany = expect.objectContaining({
  code: 'rate_limit',
  details: expect.objectContaining({ status: 429 }),
});

describe('RequestRate', () => {
  it('lets so many through at once, and so many a second for long', () => {
    const { time, clock } = heldClock();
    const rate = new RequestRate(clock, 3, 2);
    for (let count = 0; count < 3; count += 1) rate.take();
    expect(() => rate.take()).toThrow(tooMany);
    time.now += 499;
    expect(() => rate.take()).toThrow(tooMany);
    time.now += 1;
    rate.take();
    expect(() => rate.take()).toThrow(tooMany);
    time.now += 3_600_000;
    for (let count = 0; count < 3; count += 1) rate.take();
    expect(() => rate.take()).toThrow(tooMany);
  });
});

describe('FailedProofs', () => {
  it('takes ten in any minute, says how long it lasts, and forgives what was right after all [FT37]', () => {
    const { time, clock } = heldClock();
    const failed = new FailedProofs(clock);
    for (let count = 0; count < 10; count += 1) {
      failed.check();
      failed.count();
      time.now += 1_000;
    }
    expect(() => failed.check()).toThrow(
      expect.objectContaining({ details: { status: 429, retryAfterSeconds: 50 } }),
    );
    time.now += 49_999;
    expect(() => failed.check()).toThrow(tooMany);
    time.now += 1;
    failed.check();
    failed.count();
    expect(() => failed.check()).toThrow(tooMany);
    failed.forgive();
    failed.check();
  });
});
