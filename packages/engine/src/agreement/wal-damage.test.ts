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
import { DatabaseSync } from 'node:sqlite';
import { BulkheadError, type HomeLayout, homeLayout, systemClock } from '@bulkhead/protocol';
import type { NewRecord } from '@bulkhead/sessions';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { damagedCopies } from '../home/damaged-copies.ts';
import { type Logs, openLogs } from './open-logs.ts';

const SESSIONS = ['one', 'two', 'three'];
const MESSAGES = 5;
const TIMEOUT_MS = 300_000;
/** Of the places in turn, one in so many is tried here: no divisor of the ways to damage one. `npm run faults -- --rows V4` tries all. */
const ONE_IN = 7;
/** Of a write-ahead log and of each of its frames: https://www.sqlite.org/walformat.html */
const LOG_HEADER = 32;
const FRAME_HEADER = 24;

/** A record that the audit log names, and the position it has in the log of its session. */
interface Named {
  readonly session: string;
  readonly pos: number;
  /** As a person reads it. */
  readonly name: string;
}

let folder: string;
/** As a killed engine left it: everything lies in the write-ahead log. */
let pristine: HomeLayout;
/** The database as it was after the first message of each session. */
let older: string;
const named: Named[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-wal-'));
  pristine = homeLayout(`${folder}/pristine`);
  older = `${folder}/older.db`;
  const layout = homeLayout(`${folder}/first`);
  mkdirSync(layout.state, { recursive: true });
  await using opened = await open(layout);
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

function plain(type: string): NewRecord {
  return { time: 1, turn: '', type, visible: false, body: { type } };
}

function accepted(messageId: string): NewRecord {
  return { ...plain('input_accepted'), body: { text: `about ${messageId}` }, messageId };
}

/** A message and an action, in the order in which the engine writes them. */
async function work({ store, audit }: Logs, session: string, id: string): Promise<readonly Named[]> {
  const [message] = store.append(session, [accepted(id)]);
  const pos = message?.pos ?? 0;
  const about = { action: '', hash: '', session, tool: '' };
  await audit.append([{ ...about, step: 'ACCEPTED', details: { message: id, pos } }]);
  const [intent] = store.append(session, [plain('intent')]);
  const action = { ...about, action: `do-${id}`, hash: `h-${id}`, tool: 'bash' };
  await audit.append([
    { ...action, step: 'PROPOSED', details: { paths: ['write /w/x'] } },
    { ...action, step: 'STARTED', details: { nonce: id, effect: 'once', likeness: id } },
  ]);
  return [
    { session, pos, name: `message ${id}` },
    { session, pos: intent?.pos ?? 0, name: `action do-${id}` },
  ];
}

async function open(layout: HomeLayout): Promise<AsyncDisposable & { readonly logs: Logs }> {
  const stack = new AsyncDisposableStack();
  const logger = pino({ level: 'silent' });
  const parts = { layout, clock: systemClock, witnessing: {}, logger, mustExist: true, areCopies: false };
  const isNew = !existsSync(layout.database);
  try {
    const beforeDurable = (): void => {};
    const logs = await openLogs({ ...parts, mustExist: !isNew, beforeDurable }, stack);
    return { logs, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** What is wrong after a damage; nothing if every promise holds. */
async function problemsAfter(damage: (layout: HomeLayout) => void): Promise<readonly string[]> {
  const layout = homeLayout(`${folder}/trial`);
  rmSync(layout.root, { recursive: true, force: true });
  cpSync(pristine.root, layout.root, { recursive: true });
  damage(layout);
  const found = bytesOf(layout);
  const problems: string[] = [];
  {
    await using opened = await open(layout);
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
  // What nobody has decided is named by the next start, too, and nothing is copied again.
  await using opened = await open(layout);
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

function checkpointOf({ database }: HomeLayout): void {
  const other = new DatabaseSync(database);
  other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  other.close();
}

describe('a database file that is older than its write-ahead log', () => {
  it('is named, with a checkpoint between the two [S4] [FT82]', async () => {
    const layout = homeLayout(`${folder}/pair`);
    mkdirSync(layout.state, { recursive: true });

    const before = `${folder}/pair-older.db`;
    const found = `${folder}/pair-found`;
    {
      await using opened = await open(layout);
      await opened.logs.agree();
      opened.logs.store.createSession({ id: 's', workingFolder: '/w', time: 1 });
      for (let count = 0; count < 60; count += 1) {
        await work(opened.logs, 's', `pair-${count}`);

        if (count === 20) {
          checkpointOf(layout);
          cpSync(layout.database, before);
        }
        if (count === 50) checkpointOf(layout);
      }
      cpSync(layout.root, found, { recursive: true });
    }
    rmSync(layout.root, { recursive: true });
    cpSync(found, layout.root, { recursive: true });
    cpSync(before, layout.database);
    for (const start of [1, 2]) {
      await using opened = await open(layout);
      expect({ start, notices: opened.logs.notices().join() }).toEqual({
        start,
        notices: expect.stringContaining('pages do not fit together'),
      });
      expect(damagedCopies(layout)).toMatchObject([{ isWhole: true }]);
      // A write, and a crash after it.
      await opened.logs.agree();
      opened.logs.store.createSession({ id: `after-${start}`, workingFolder: '/w', time: 1 });
      cpSync(layout.root, `${layout.root}-crashed`, { recursive: true });
      await opened[Symbol.asyncDispose]();
      rmSync(layout.root, { recursive: true });
      cpSync(`${layout.root}-crashed`, layout.root, { recursive: true });
    }
  });
});

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
      await using _opened = await open(layout);
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
