import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Machine } from '../testing/machine.ts';
import { acceptGap, advanceClock, aheadOf, DAY_MS, firstClockState } from './advance-clock.ts';
import { describeGap } from './describe-gap.ts';

const DAY = DAY_MS;
const HOUR = DAY / 24;
const MINUTE = HOUR / 60;
const YEAR = 365 * DAY;
const START = Date.UTC(2026, 10, 23, 12);

describe('confirmed time [U2] [FT83]', () => {
  it.each([1, -1, 400, -400, 3_650, -3_650])('counts nothing for a clock that is set by %d days', (days) => {
    const machine = new Machine().run(2 * DAY).jump(days * DAY);
    expect(machine.look().state.confirmed).toBe(2 * DAY);
    machine.run(3 * DAY);
    expect(machine.state.confirmed).toBe(5 * DAY);
  });

  it.each([2, -2, 400, -400, 3_650])(
    'reports a clock that is set by %d days until it is kept for a day',
    (days) => {
      const machine = new Machine()
        .run(HOUR)
        .jump(days * DAY)
        .look();
      expect(describeGap(machine.state)).toContain(days > 0 ? 'days ahead' : 'days back');
      machine.run(23 * HOUR);
      expect(describeGap(machine.state)).toBeDefined();
      machine.run(2 * HOUR);
      expect(describeGap(machine.state)).toBeUndefined();
      expect(aheadOf(machine.state)).toBe(0);
    },
  );

  it('forgets a clock that goes back', () => {
    const machine = new Machine()
      .run(HOUR)
      .jump(400 * DAY)
      .run(23 * HOUR)
      .jump(-400 * DAY)
      .run(HOUR);
    expect(machine.state.gap).toBeUndefined();
    machine.jump(400 * DAY).run(2 * HOUR);
    expect(machine.state.gap?.kept).toBeLessThanOrEqual(2 * HOUR);
    expect(machine.state.confirmed).toBe(machine.passed);
  });

  it('counts a night off at once, and no more than a day for each start of the machine', () => {
    const machine = new Machine()
      .run(HOUR)
      .off(14 * HOUR)
      .look(true);
    expect(machine.state.confirmed).toBe(15 * HOUR);
    for (let jumps = 0; jumps < 20; jumps += 1) machine.jump(23 * HOUR).look();
    expect(machine.state.confirmed).toBeLessThanOrEqual(HOUR + DAY);
  });

  it.each([2.5, 60])('counts %d days off after a day of running, over several starts', (days) => {
    const machine = new Machine()
      .run(2 * DAY)
      .off(days * DAY)
      .look(true);
    expect(describeGap(machine.state)).toContain(`off for ${days} days`);
    machine
      .run(10 * HOUR)
      .idle(HOUR)
      .look(true)
      .run(10 * HOUR)
      .off(8 * HOUR)
      .look(true)
      .run(3 * HOUR);
    expect(machine.state.confirmed).toBeLessThan(4 * DAY);
    machine.run(3 * HOUR);
    expect(machine.state.confirmed).toBe(machine.passed);
    expect(describeGap(machine.state)).toBeUndefined();
  });

  it('counts time asleep and time without an engine, which the machine itself knows', () => {
    const machine = new Machine()
      .run(DAY)
      .idle(60 * DAY)
      .look(true);
    expect(machine.state.confirmed).toBe(61 * DAY);
    expect(machine.idle(3 * DAY).look().state.confirmed).toBe(64 * DAY);
    expect(describeGap(machine.state)).toBeUndefined();
  });

  it('does not count a clock as running that slept', () => {
    const machine = new Machine()
      .run(2 * DAY)
      .off(60 * DAY)
      .look(true)
      .idle(2 * DAY)
      .look();
    expect(machine.state.gap?.kept).toBeLessThanOrEqual(HOUR);
  });

  it('counts time off after a wrong clock at the start was put right', () => {
    const machine = new Machine().run(2 * DAY).off(5 * DAY);
    const right = machine.wall;
    machine.wall = 0;
    machine.look(true).run(HOUR);
    expect(describeGap(machine.state)).toContain('days back');
    machine.jump(right - 0);
    machine.look();
    expect(describeGap(machine.state)).toContain('off for');
    machine.run(DAY + HOUR);
    expect(machine.state.confirmed).toBe(machine.passed);
  });

  it.each([
    ['while the machine runs', (machine: Machine) => machine.idle(HOUR)],
    ['by a start of the machine', (machine: Machine) => machine.off(HOUR)],
  ])('makes nothing older when a clock that began in 1970 is put right %s', (_how, pass) => {
    const machine = new Machine(0).run(3 * DAY);
    pass(machine).jump(START);
    machine.look(true).run(3 * DAY);
    expect(describeGap(machine.state)).toBeUndefined();
    expect(machine.state.confirmed).toBeLessThanOrEqual(machine.passed);
    const confirmed = new Machine(0)
      .run(3 * DAY)
      .off(HOUR)
      .jump(START)
      .look(true).state;
    expect(acceptGap(confirmed).confirmed).toBeLessThanOrEqual(machine.passed);
  });

  it('makes nothing older when a clock that was ten years ahead is put right', () => {
    const machine = new Machine()
      .run(DAY)
      .jump(10 * YEAR)
      .run(2 * DAY)
      .jump(-10 * YEAR)
      .run(2 * DAY);
    expect(machine.state.confirmed).toBe(machine.passed);
    expect(aheadOf(machine.state)).toBe(0);
  });

  it('needs no proof for daylight saving, a time zone set wrong, and slow drift', () => {
    const machine = new Machine()
      .run(DAY)
      .jump(HOUR)
      .run(DAY)
      .jump(-HOUR)
      .run(DAY)
      .jump(-11 * HOUR)
      .run(HOUR);
    expect(describeGap(machine.state)).toBeUndefined();
    for (let hours = 0; hours < 30 * 24; hours += 1) machine.jump(2_000).run(HOUR);
    expect(describeGap(machine.state)).toBeUndefined();
    expect(machine.state.confirmed).toBe(machine.passed);
  });

  it('believes a person at once', () => {
    const off = new Machine()
      .run(2 * DAY)
      .off(60 * DAY)
      .look(true);
    expect(acceptGap(off.state).confirmed).toBe(off.passed);
    const set = new Machine()
      .run(2 * DAY)
      .jump(400 * DAY)
      .look();
    const accepted = acceptGap(set.state);
    expect(accepted.confirmed).toBe(2 * DAY);
    expect(aheadOf(accepted)).toBe(0);
    expect(describeGap(accepted)).toBeUndefined();
  });

  it('takes a machine without a name for its start as started anew', () => {
    const reading = { wall: START, sinceBoot: HOUR, boot: '' };
    const state = advanceClock(
      firstClockState(reading),
      { wall: START + HOUR, sinceBoot: 2 * HOUR, boot: '' },
      true,
    );
    expect(state.confirmed).toBe(HOUR);
  });

  it('is never ahead of the time that passed, whatever the clock does in a day', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('jump' as const), ms: fc.integer({ min: -20 * YEAR, max: 20 * YEAR }) }),
      fc.record({ kind: fc.constant('run' as const), ms: fc.integer({ min: 1, max: 5 * HOUR }) }),
      fc.record({ kind: fc.constant('idle' as const), ms: fc.integer({ min: 1, max: 100 * DAY }) }),
      fc.record({ kind: fc.constant('restart' as const), ms: fc.constant(0) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const machine = new Machine().run(DAY);
        for (const { kind, ms } of steps) {
          const before = machine.state.confirmed;
          if (kind === 'restart') machine.look(true);
          else machine[kind](ms).look();
          expect(machine.state.confirmed).toBeGreaterThanOrEqual(before);
          expect(machine.state.confirmed).toBeLessThanOrEqual(machine.passed + 1);
        }
        machine.run(1_000);
        expect(machine.state.confirmed).toBeCloseTo(machine.passed, 0);
      }),
      { numRuns: 100 },
    );
  });

  it('is ahead by no more than a day for each time the machine was off, if no clock is kept for a day', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('jump' as const), ms: fc.integer({ min: -20 * YEAR, max: 20 * YEAR }) }),
      fc.record({ kind: fc.constant('run' as const), ms: fc.integer({ min: 1, max: 20 * MINUTE }) }),
      fc.record({ kind: fc.constant('off' as const), ms: fc.integer({ min: 1, max: 100 * DAY }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const machine = new Machine().run(DAY);
        for (const { kind, ms } of steps) machine[kind](ms).look(kind === 'off');
        const starts = steps.filter(({ kind }) => kind === 'off').length;
        const ran = machine.passed - steps.reduce((sum, { kind, ms }) => sum + (kind === 'off' ? ms : 0), 0);
        expect(machine.state.confirmed).toBeLessThanOrEqual(ran + starts * DAY + 1);
      }),
      { numRuns: 200 },
    );
  });
});
