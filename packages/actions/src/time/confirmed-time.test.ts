import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Machine } from '@bulkhead/home/testing';
import { ConfirmedTime } from '@bulkhead/home/time/confirmed-time';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HandTimers } from '../testing/approval-stage.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-time-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = () => join(folder, 'clock.json');

function engine(machine: Machine, file = path()) {
  const timers = new HandTimers();
  const warned: string[] = [];
  const told: string[] = [];
  const time = ConfirmedTime.open({
    path: file,
    clock: { now: () => machine.wall },
    machine: {
      sinceBoot: () => machine.sinceBoot,
      get boot() {
        return `boot ${machine.boot}`;
      },
    },
    timers,
    warn: (problem) => warned.push(problem),
    inform: (what) => told.push(what),
  });
  /** Advances time, with a check every five minutes. */
  const run = (ms: number) => {
    for (let left = ms; left > 0; left -= HOUR / 12) {
      machine.idle(HOUR / 12);
      timers.fire(60_000);
    }
  };
  return { time, warned, told, run };
}

describe('ConfirmedTime', () => {
  it('goes on where the last engine was, also after one that was killed [U2]', () => {
    const machine = new Machine();
    const first = engine(machine);
    first.run(2 * HOUR);
    // The first engine is not closed: only its periodic writes are stored.
    const second = engine(machine.idle(HOUR));
    expect(second.time.confirmed()).toBe(3 * HOUR);
    second.time[Symbol.dispose]();
    expect(engine(machine.off(8 * HOUR)).time.confirmed()).toBe(11 * HOUR);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });

  it('says once what it does not believe, with both readings, and that it is over [FT83]', () => {
    const machine = new Machine();
    const { time, warned, told, run } = engine(machine);
    run(HOUR);
    machine.jump(400 * DAY);
    run(HOUR);
    expect(warned).toEqual([expect.stringMatching(/400 days ahead: it says 2027-.*, expected is 2026-/)]);
    expect(warned[0]).toContain('bulkhead doctor --confirm-clock');
    expect(time.problem).toContain('Nothing is removed by age');
    machine.jump(-400 * DAY);
    run(HOUR);
    expect([time.problem, told.length, warned.length]).toEqual([undefined, 1, 1]);
  });

  it('goes on with a doubt over starts of the engine, and lets a person end it [FT83]', () => {
    const machine = new Machine();
    const first = engine(machine);
    first.run(2 * DAY);
    first.time[Symbol.dispose]();
    machine.off(60 * DAY);
    const second = engine(machine);
    expect(second.warned).toHaveLength(1);
    second.run(HOUR);
    second.time[Symbol.dispose]();
    const third = engine(machine);
    expect(third.time.problem).toContain('off for 60 days');
    expect(third.time.atMost()).toBe(third.time.confirmed() + 60 * DAY);
    expect(third.time.believed()).toBe(machine.wall - 59 * DAY);
    expect(third.time.confirmClock()).toEqual({ now: machine.wall, counted: 60 * DAY, changed: true });
    expect(third.time.confirmClock()).toMatchObject({ counted: 0, changed: false });
    expect(third.time.problem).toBeUndefined();
    expect(third.time.believed()).toBe(machine.wall);
    expect(engine(machine).time.confirmed()).toBe(machine.passed);
  });

  it('counts anew, and says so, where the file can not be read', () => {
    const machine = new Machine();
    engine(machine).run(DAY);
    writeFileSync(path(), readFileSync(path(), 'utf8').slice(0, 20));
    const { time, warned } = engine(machine.jump(400 * DAY));
    expect(time.confirmed()).toBe(0);
    expect(warned).toEqual([expect.stringContaining('counted anew')]);
  });

  it('works on where the file can not be written', () => {
    const machine = new Machine();
    const { time, warned, run } = engine(machine, join(folder, 'missing', 'clock.json'));
    run(HOUR);
    expect(time.confirmed()).toBe(HOUR);
    expect(warned).toEqual([expect.stringContaining("can't be written")]);
  });
});
