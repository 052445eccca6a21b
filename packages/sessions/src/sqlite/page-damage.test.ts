import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BulkheadError } from '@bulkhead/protocol';
import { shareOf, shareOfNumbers, sweepOf } from '@bulkhead/testkit/sweep';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionStore } from '../session-store.ts';
import { FOUR_SESSIONS, makeFourSessions } from '../testing/four-sessions.ts';
import { temporaryFolder } from '../testing.ts';
import { createSqliteSessionStore } from './sqlite-session-store.ts';

const PAGE = 4096;
/** Of some hundred; `npm run proof` damages each. */
const PAGES = 24;

let folder: ReturnType<typeof temporaryFolder>;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder.path, 'sessions.db');
});
afterEach(() => folder[Symbol.dispose]());

function outcome<T>(action: () => T): T | string {
  try {
    return action();
  } catch (error) {
    if (BulkheadError.is(error)) return error.code;
    throw error;
  }
}

/** All readable data of a session, each view separately. */
function readingsOf(store: SessionStore, name: string): readonly unknown[] {
  return [
    outcome(() => store.getSession(name) ?? 'gone'),
    outcome(() => store.records(name, { pos: 0 })),
    outcome(() => store.records(name, { seq: 0 })),
    outcome(() => store.lastSeq(name)),
    outcome(() => store.branch(name, `${name}24`)),
    outcome(() => store.branch(name, `${name}7`)),
    outcome(() => store.recentBranch(name, `${name}24`, 2000)),
    outcome(() => store.labels(name)),
    outcome(() => store.findInput(name, 'm1') ?? 'unknown'),
  ].map((reading) => JSON.parse(JSON.stringify(reading)));
}

interface Reading {
  readonly each: ReadonlyMap<string, readonly unknown[]>;
  readonly damaged: readonly string[];
  readonly open: readonly string[];
  /** The sums are of all sessions: if they can't be read, they must not be assumed small. */
  readonly calls: readonly string[] | 'store_corrupt';
  readonly found: readonly string[] | 'store_corrupt';
}

function readAll(store: SessionStore): Reading {
  const each = new Map(FOUR_SESSIONS.map((name) => [name, readingsOf(store, name)]));
  const open = store.openInputs().map((input) => input.sessionId);
  const calls = outcome(() => store.modelCalls({}).map((total) => total.session));
  if (typeof calls === 'string' && calls !== 'store_corrupt') throw new Error(calls);
  const found = outcome(() => store.search('says 24', 99).map((hit) => hit.session));
  if (typeof found === 'string' && found !== 'store_corrupt') throw new Error(found);
  const list = store.listSessions(99);
  const damaged = list.filter((info) => info.damage !== '').map((info) => info.id);
  const called = typeof calls === 'string' ? ('store_corrupt' as const) : calls;
  return { each, damaged, open, calls: called, found: typeof found === 'string' ? 'store_corrupt' : found };
}

/** Every view is unchanged, or refuses because its session is under quarantine: nothing else. */
function expectNothingWrong(now: Reading, before: Reading): void {
  for (const name of FOUR_SESSIONS) {
    const [info, ...rest] = now.each.get(name) ?? [];
    const [infoBefore, ...restBefore] = before.each.get(name) ?? [];
    rest.forEach((reading, n) => {
      if (reading !== 'store_corrupt') expect([name, n, reading]).toEqual([name, n, restBefore[n]]);
      else expect(now.damaged).toContain(name);
    });
    if (!now.damaged.includes(name)) {
      expect(info).toEqual(infoBefore);
      expect(now.open).toContain(name);
    }
  }
}

function spoil(bytes: Buffer): void {
  for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  writeFileSync(path, bytes);
}

interface Tally {
  refused: number;
  quarantined: number;
  unharmed: number;
  alone: number;
}

/** Reads the damaged database twice, the second time after reopening it. */
function examine(bytes: Buffer, before: Reading, tally: Tally): void {
  spoil(bytes);
  for (const again of [false, true]) {
    let store: SessionStore;
    try {
      store = createSqliteSessionStore(path);
    } catch (error) {
      expect(BulkheadError.is(error) && error.message).toMatch(
        /damaged|not a session database|version|missing/,
      );
      if (!again) tally.refused += 1;
      return;
    }
    try {
      const now = readAll(store);
      expectNothingWrong(now, before);
      if (again) continue;
      if (now.damaged.length === 0) tally.unharmed += 1;
      else tally.quarantined += 1;
      if (now.damaged.length > 0 && now.damaged.length < FOUR_SESSIONS.length) tally.alone += 1;
    } finally {
      store.close();
    }
  }
}

describe('a database with a damaged page', () => {
  it('gives what was written or says which session is damaged, whichever page is lost [S4] [FT82]', () => {
    makeFourSessions(path);
    const store = createSqliteSessionStore(path);
    const before = readAll(store);
    store.close();
    const whole = readFileSync(path);
    const tally: Tally = { refused: 0, quarantined: 0, unharmed: 0, alone: 0 };
    for (const page of shareOfNumbers(0, whole.length / PAGE, PAGES)) {
      const zeroed = Buffer.from(whole);
      zeroed.fill(0, page * PAGE, (page + 1) * PAGE);
      examine(zeroed, before, tally);
      const noise = Buffer.from(whole);
      for (let at = page * PAGE; at < (page + 1) * PAGE; at++) noise[at] = (at * 197 + page) & 0xff;
      examine(noise, before, tally);
    }
    expect(tally.alone).toBeGreaterThan(sweepOf(4, 20));
    expect(tally.refused).toBeLessThan(20);
  });

  it('gives what was written or says which session is damaged, whichever bit flips [S4] [FT82]', () => {
    makeFourSessions(path);
    const store = createSqliteSessionStore(path);
    const before = readAll(store);
    store.close();
    const whole = readFileSync(path);
    const tally: Tally = { refused: 0, quarantined: 0, unharmed: 0, alone: 0 };
    for (const page of shareOfNumbers(0, whole.length / PAGE, PAGES)) {
      const offsets = [0, 3, 9, 21, 1500 + ((page * 89) % 1000), 3000 + ((page * 53) % 1000), 4090];
      for (const offset of shareOf(offsets, 4)) {
        const flipped = Buffer.from(whole);
        const at = page * PAGE + offset;
        flipped[at] = (whole[at] ?? 0) ^ (1 << ((page + offset) % 8));
        examine(flipped, before, tally);
      }
    }
    expect(tally.alone).toBeGreaterThan(sweepOf(5, 50));
  }, 360_000);
});
