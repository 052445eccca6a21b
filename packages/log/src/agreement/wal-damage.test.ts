import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { damagedCopies } from '@bulkhead/home/folder/damaged-copies';
import { BulkheadError, type HomeLayout, homeLayout } from '@bulkhead/protocol';
import { sweepOf } from '@bulkhead/testkit/sweep';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NamedRecord, openLogsOf, plain, work } from '../testing/logs-stage.ts';
import type { Logs } from './open-logs.ts';

const SESSIONS = ['one', 'two', 'three'];
const MESSAGES = 5;
const TIMEOUT_MS = 600_000;
/** Of the places in turn, one in so many is tried here: no divisor of the ways to damage one. `npm run faults -- --rows V4` tries all. */
const ONE_IN = sweepOf(43, 7);
/** Of a write-ahead log and of each of its frames: https://www.sqlite.org/walformat.html */
const LOG_HEADER = 32;
const FRAME_HEADER = 24;

let folder: string;
/** As a killed engine left it: everything lies in the write-ahead log. */
let pristine: HomeLayout;
/** The database as it was after the first message of each session. */
let older: string;
const named: NamedRecord[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-wal-'));
  pristine = homeLayout(`${folder}/pristine`);
  older = `${folder}/older.db`;
  const layout = homeLayout(`${folder}/first`);
  mkdirSync(layout.state, { recursive: true });
  await using opened = await openLogsOf(layout);
  await opened.logs.agree();
  for (const session of SESSIONS)
    opened.logs.store.createSession({ id: session, workingFolder: '/w', time: 1 });
  for (let count = 0; count < MESSAGES; count += 1) {
    for (const session of SESSIONS) named.push(...(await work(opened.logs, session, `${session}-${count}`)));
    if (count === 0) cpSync(layout.database, older);
  }
  mkdirSync(pristine.root, { recursive: true });
  cpSync(layout.state, pristine.state, { recursive: true });
}, TIMEOUT_MS);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The broken promises after a damage; empty if all hold. */
async function problemsAfter(damage: (layout: HomeLayout) => void): Promise<readonly string[]> {
  const layout = homeLayout(`${folder}/trial`);
  rmSync(layout.root, { recursive: true, force: true });
  cpSync(pristine.root, layout.root, { recursive: true });
  damage(layout);
  const found = bytesOf(layout);
  const problems: string[] = [];
  {
    await using opened = await openLogsOf(layout);
    const { store } = opened.logs;
    const notices = opened.logs.losses(() => {}).notices.join('\n');
    const last = new Map(SESSIONS.map((id) => [id, lastPos(opened.logs, id)]));
    const lost = named.filter(({ session, pos }) => pos > (last.get(session) ?? 0));
    problems.push(
      ...lost.filter(({ name }) => !notices.includes(`${name}`)).map(({ name }) => `${name} is not named`),
    );
    for (const id of SESSIONS) {
      const isLost = lost.some(({ session }) => session === id);
      if (isLost !== notices.includes(`session ${id} `))
        problems.push(`${id}: lost ${isLost}, said otherwise`);
      if (store.getSession(id) !== undefined && isLost !== isReadOnly(opened.logs, id))
        problems.push(`${id}: lost ${isLost}, and read-only ${!isLost}`);
    }
    const copies = damagedCopies(layout);
    const isKept = lost.length > 0 && found.log.length > 0 ? 1 : 0;
    if (copies.length !== isKept) problems.push(`${copies.length} copies instead of ${isKept}`);
    for (const { name } of copies) {
      const kept = bytesOf(homeOfCopy(layout, name));
      if (!kept.log.equals(found.log)) problems.push('the copy has another write-ahead log');
      if (!kept.database.equals(found.database)) problems.push('the copy has another database');
    }
    await opened.logs.agree();
  }
  // The next start also names undecided losses, and copies nothing again.
  await using opened = await openLogsOf(layout);
  if (damagedCopies(layout).length > 1) problems.push('copied again');
  const again = opened.logs.losses(() => {}).notices;
  const first = named.filter(({ session, pos }) => pos > lastPos(opened.logs, session));
  problems.push(
    ...first.filter(({ name }) => !again.join('\n').includes(name)).map(({ name }) => `${name} is forgotten`),
  );
  return problems;
}

function homeOfCopy({ damaged }: HomeLayout, name: string): Pick<HomeLayout, 'database'> {
  return { database: `${damaged}/${name}/bulkhead.db` };
}

function bytesOf({ database }: Pick<HomeLayout, 'database'>) {
  const log = `${database}-wal`;
  return { database: readFileSync(database), log: existsSync(log) ? readFileSync(log) : Buffer.alloc(0) };
}

function lastPos({ store }: Logs, session: string): number {
  return store.getSession(session) === undefined ? 0 : store.records(session, { pos: 0 }, 1_000).length;
}

function isReadOnly({ store }: Logs, session: string): boolean {
  try {
    store.append(session, [plain('x')]);
    return false;
  } catch (error) {
    if (BulkheadError.is(error)) return true;
    throw error;
  }
}

const logOf = ({ database }: Pick<HomeLayout, 'database'>): string => `${database}-wal`;

function withoutIndex(damage: (layout: HomeLayout) => void): (layout: HomeLayout) => void {
  return (layout) => {
    rmSync(`${layout.database}-shm`, { force: true });
    damage(layout);
  };
}

/** Every place of the write-ahead log where a frame begins. */
function frames(): { readonly size: number; readonly starts: readonly number[] } {
  const log = readFileSync(logOf(pristine));
  const size = log.readUInt32BE(8) + FRAME_HEADER;
  const count = Math.floor((log.length - LOG_HEADER) / size);
  return { size, starts: Array.from({ length: count }, (_, index) => LOG_HEADER + index * size) };
}

const changed = (path: string, change: (bytes: Buffer) => Buffer): void =>
  writeFileSync(path, change(readFileSync(path)));

const share = <Trial>(trials: readonly Trial[]): readonly Trial[] =>
  trials.filter((_, index) => index % ONE_IN === 0);

async function tryAll(trials: ReadonlyArray<readonly [name: string, damage: (layout: HomeLayout) => void]>) {
  const problems: string[] = [];
  for (const [name, damage] of trials)
    problems.push(...(await problemsAfter(damage)).map((problem) => `${name}: ${problem}`));
  return problems;
}

describe('a write-ahead log that was damaged while no engine ran', () => {
  it('is sound as a killed engine left it: nothing is accused and nothing copied [S4]', async () => {
    expect(
      await tryAll([
        ['with its index', () => {}],
        ['without its index', withoutIndex(() => {})],
      ]),
    ).toEqual([]);
    expect(frames().starts.length).toBeGreaterThan(40);
  });

  it(
    'is named, kept aside and read-only with a flipped byte in a share of its pages [S4] [FG4] [FT82]',
    async () => {
      const { size, starts } = frames();
      const trials = starts.flatMap((start) =>
        [0, FRAME_HEADER, Math.floor(size / 2), size - 1].map((at) => {
          const flip = ({ database }: HomeLayout): void =>
            changed(`${database}-wal`, (bytes) => {
              bytes[start + at] = (bytes[start + at] ?? 0) ^ 0x10;
              return bytes;
            });
          return [
            `byte ${at} of the frame at ${start}`,
            start % 2 === 0 ? flip : withoutIndex(flip),
          ] as const;
        }),
      );
      expect(await tryAll(share(trials))).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'is named, kept aside and read-only cut at a share of its frames, or within one [S4] [FT82]',
    async () => {
      const { starts } = frames();
      const cuts = [0, 1, LOG_HEADER, ...starts.flatMap((start) => [start, start + 100])];
      const trials = cuts.map((length) => {
        const cut = ({ database }: HomeLayout): void =>
          changed(`${database}-wal`, (bytes) => bytes.subarray(0, length));
        return [`cut to ${length}`, cut] as const;
      });
      expect(await tryAll(share(trials))).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'is named where files of it are deleted, or the database is an older one [S4] [FT82]',
    async () => {
      const remove =
        (...suffixes: readonly string[]) =>
        ({ database }: HomeLayout): void => {
          for (const suffix of suffixes) rmSync(`${database}${suffix}`, { force: true });
        };
      const putBack = ({ database }: HomeLayout): void => cpSync(older, database);
      const trials = [
        ['index deleted', remove('-shm')],
        ['log deleted', remove('-wal')],
        ['both deleted', remove('-wal', '-shm')],
        ['older database, newer log', putBack],
        [
          'older database, nothing else',
          (layout: HomeLayout): void => {
            remove('-wal', '-shm')(layout);
            putBack(layout);
          },
        ],
      ] as const;
      expect(await tryAll(trials)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it('keeps four copies at most, the newest', async () => {
    const layout = homeLayout(`${folder}/many`);
    for (let count = 0; count < 6; count += 1) {
      const copies = existsSync(layout.damaged) ? readdirSync(layout.damaged) : [];
      cpSync(pristine.root, layout.root, { recursive: true });
      changed(logOf(layout), (bytes) => bytes.subarray(0, 20_000));
      await using _opened = await openLogsOf(layout);
      expect(damagedCopies(layout).at(-1)?.isWhole).toBe(true);
      expect(readdirSync(layout.damaged)).not.toEqual(copies);
    }
    expect(damagedCopies(layout).map(({ name }) => name.slice(0, 4))).toEqual([
      '0003',
      '0004',
      '0005',
      '0006',
    ]);
  });
});
