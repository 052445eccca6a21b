import { describe, expect, it } from 'vitest';
import { TestAccess } from '../testing/test-access.ts';
import { FailedProofs } from './gate.ts';
import { HolderRates } from './holder-rates.ts';
import type { Proof } from './proof.ts';
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
  it('slows what is wrong after ten in any minute, each kind for itself [FT37]', () => {
    const { time, clock } = heldClock();
    const failed = new FailedProofs(clock);
    const waits = (): boolean => failed.count('token') > 0;
    for (let count = 0; count < 10; count += 1) {
      expect(waits()).toBe(false);
      time.now += 1_000;
    }
    // Waiting ones don't count: they would keep the next ones waiting permanently.
    for (let count = 0; count < 1_000; count += 1) expect(waits()).toBe(true);
    expect(failed.count('code')).toBe(0);
    time.now += 50_000;
    expect([waits(), waits()]).toEqual([false, true]);
  });
});

describe('HolderRates', () => {
  it('gives the owner, by whatever way, and each program a rate of their own', () => {
    const { clock } = heldClock();
    const access = new TestAccess();
    using rates = new HolderRates(access, clock);
    const proof = (id: string, kind: Proof['kind']): Proof => ({ id, kind, name: id });
    const spend = (holder: Proof): number => {
      for (let count = 0; ; count += 1) {
        try {
          rates.take(holder);
        } catch (error) {
          expect(error).toEqual(tooMany);
          return count;
        }
      }
    };
    expect(spend(proof('a', 'program'))).toBe(400);
    expect(spend(proof('b', 'program'))).toBe(400);
    expect(spend(proof('o', 'owner'))).toBe(2_000);
    expect(spend(proof('l', 'login'))).toBe(0);
    // Nothing is kept of a proof that has ended.
    access.end('a');
    expect(spend(proof('a', 'program'))).toBe(400);
  });
});
