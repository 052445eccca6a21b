import {
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { optionsOf, type Row } from '../row.ts';
import { LEDGER, type Task, taskText } from '../task-model.ts';
import { type EventLine, World } from '../world.ts';

const TASK: Task = { steps: ['append', 'append'], delayMs: 10 };
const MESSAGES = 6;

/** Of a write-ahead log and of each of its frames: https://www.sqlite.org/walformat.html */
const LOG_HEADER = 32;
const FRAME_HEADER = 24;
/** At scale 1, one place in so many is tried: no divisor of the ways to damage one. From `ALL_FROM` on, every place. */
const ONE_IN = 29;
const ALL_FROM = 5;

/** A way to damage the state of a home. */
interface Damage {
  readonly name: string;
  /** @param database path of the session database */
  apply(database: string): void;
}

/** V4: the write-ahead log of the database is damaged after a crash, at every frame, or its files do not belong together. */
export const damagedLog: Row = {
  id: 'V4',
  fault: 'write-ahead log cut, flipped, zeroed, deleted, older database',
  async run(context) {
    await using world = await World.make(optionsOf(context));
    const older = join(world.root, 'older.db');
    const told = await work(world, older);
    await world.kill();
    const wal = databaseOf(world.home, '-wal');
    if (!existsSync(wal) || readFileSync(wal).length < 40_000)
      return { violations: ['no write-ahead log to damage: nothing was tried'], figures: {} };
    const kept = join(world.root, 'kept');
    for (const name of ['home', 'work']) cpSync(join(world.root, name), join(kept, name), COPY);
    const damages = damagesOf(readFileSync(wal), older);
    const places = damages.places.filter((_, index) => context.scale >= ALL_FROM || index % ONE_IN === 0);
    const violations: string[] = [];
    for (const { name, apply } of [...damages.whole, ...places]) {
      // The folders themselves stay: a session knows its working folder again.
      for (const each of ['home', 'work']) {
        const folder = join(world.root, each);
        for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
        cpSync(join(kept, each), folder, COPY);
      }
      apply(databaseOf(world.home));
      const found = await judge(world, told);
      await world.kill();
      violations.push(...found.map((text) => `${name}: ${text}`));
      context.say(`${name}: ${found.length} problems`);
    }
    return { violations, figures: { places: places.length, kinds: damages.whole.length } };
  },
};

/** Sockets of a killed engine can't be copied. */
const COPY = {
  recursive: true,
  filter: (path: string) => lstatSync(path).isFile() || lstatSync(path).isDirectory(),
};

function databaseOf(home: string, suffix = ''): string {
  return join(home, `state/bulkhead.db${suffix}`);
}

function damagesOf(
  wal: Buffer,
  older: string,
): { readonly whole: readonly Damage[]; readonly places: readonly Damage[] } {
  const size = wal.readUInt32BE(8) + FRAME_HEADER;
  const count = Math.floor((wal.length - LOG_HEADER) / size);
  const starts = Array.from({ length: count }, (_, index) => LOG_HEADER + index * size);
  const remove =
    (...suffixes: readonly string[]) =>
    (database: string): void => {
      for (const suffix of suffixes) rmSync(`${database}${suffix}`, { force: true });
    };
  return {
    whole: [
      { name: 'log deleted', apply: remove('-wal') },
      { name: 'index deleted', apply: remove('-shm') },
      { name: 'log and index deleted', apply: remove('-wal', '-shm') },
      { name: 'zeroed', apply: (database) => writeFileSync(`${database}-wal`, Buffer.alloc(wal.length)) },
      { name: 'older database, newer log', apply: (database) => copyFileSync(older, database) },
      {
        name: 'older database, no log',
        apply: (database) => {
          remove('-wal', '-shm')(database);
          copyFileSync(older, database);
        },
      },
    ],
    places: starts.flatMap((start) => [
      ...[0, FRAME_HEADER, Math.floor(size / 2), size - 1].map((at) => ({
        name: `byte ${at} of the frame at ${start} flipped`,
        apply: (database: string): void => {
          const bytes = readFileSync(`${database}-wal`);
          bytes[start + at] = (bytes[start + at] ?? 0) ^ 0x10;
          writeFileSync(`${database}-wal`, bytes);
        },
      })),
      { name: `cut at ${start}`, apply: (database: string) => truncateSync(`${database}-wal`, start) },
    ]),
  };
}

interface Told {
  readonly session: string;
  readonly messages: readonly string[];
  readonly events: readonly EventLine[];
}

/** @param older where a copy of the database is put as it was a start ago, without the last messages */
async function work(world: World, older: string): Promise<Told> {
  if (!(await world.start())) throw new Error('the first start failed');
  const session = await world.session();
  const messages: string[] = [];
  for (let count = 0; count < MESSAGES; count += 1) {
    const id = `m${count}`;
    // At an orderly end all of it is in the database, and the next engine begins another write-ahead log.
    if (count === 2 || count === 4) await world.cli(['stop']);
    if (count === 2) copyFileSync(databaseOf(world.home), older);
    if (count === 2 || count === 4) await world.start();
    if ((await world.send(session, id, taskText(id, TASK))).status === 200) messages.push(id);
    await world.settled(session, id);
  }
  return { session, messages, events: await world.events(session) };
}

/** A missing effect must be named, and nothing done twice. */
async function judge(world: World, { session, messages }: Told): Promise<readonly string[]> {
  const started = await world.cli(['start', '--daemon']);
  const doctor = await world.cli(['doctor']);
  if (started.code !== 0) {
    const isNamed = /bulkhead\.db|database/.test(started.text) && doctor.code !== 0;
    return isNamed ? [] : [`no start, and no reason: ${started.text.slice(0, 200)}`];
  }
  // A recovery would begin what it thinks was never done.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const events = await world.events(session);
  const lost = messages.filter(
    (id) => !events.some((event) => event.type === 'settled' && event['message'] === id),
  );
  const report = `${doctor.text}\n${(await world.cli(['sessions', 'list'])).text}\n${(await world.cli(['sessions', 'show', session])).text}`;
  // Where pages of two times are mixed nothing can tell what is missing: the whole session is named.
  const isWholeNamed = /is damaged|under quarantine/.test(report);
  const unnamed = isWholeNamed ? [] : lost.filter((id) => !report.includes(id));
  return [
    ...doneTwice(world),
    ...(lost.length > 0 && doctor.code === 0
      ? [`${lost.length} messages are lost and doctor says all is well`]
      : []),
    ...(lost.length > 0 && (await world.send(session, 'new', taskText('new', TASK))).status === 200
      ? ['the session with lost messages takes new ones']
      : []),
    ...(unnamed.length > 0 ? await goOn(world, session, unnamed) : []),
  ];
}

/**
 * A message that is not named is not lost, only its end is: when a person has accepted the loss, it goes on to an end, or asks before it
 * does anything again.
 */
async function goOn(world: World, session: string, unnamed: readonly string[]): Promise<readonly string[]> {
  await world.cli(['sessions', 'accept-loss', session]);
  for (let tries = 0; tries < 60; tries += 1) {
    const events = await world.events(session);
    const isAsked = !(await world.cli(['approvals'])).text.includes('nothing waits');
    const open = unnamed.filter(
      (id) => !events.some((event) => event.type === 'settled' && event['message'] === id),
    );
    if (open.length === 0 || isAsked) return doneTwice(world);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return [`lost and not named: ${unnamed.join(', ')}`, ...doneTwice(world)];
}

/** Each step of a task appends a line of its own. */
function doneTwice(world: World): readonly string[] {
  const lines = readFileSync(join(world.work, LEDGER), 'utf8').split('\n').slice(0, -1);
  const doubled = lines.filter((line, index) => lines.indexOf(line) !== index);
  return doubled.map((line) => `${line} was done twice`);
}

/** V11: doctor on homes that can not start. */
export const doctor: Row = {
  id: 'V11',
  fault: 'doctor on a home that can not start',
  async run(context) {
    const violations: string[] = [];
    const files = ['policies/default.yaml', 'config.yaml', 'state/bulkhead.db', 'state/access.db'];
    const damages: Readonly<Record<string, (path: string) => void>> = {
      emptied: (path) => writeFileSync(path, ''),
      garbage: (path) => writeFileSync(path, ': this is { not anything'.repeat(400)),
    };
    for (const file of files) {
      for (const [name, damage] of Object.entries(damages)) {
        await using world = await World.make(optionsOf(context));
        if (!(await world.start())) return { violations: ['the first start failed'], figures: {} };
        await world.cli(['stop']);
        damage(join(world.home, file));
        const check = await world.cli(['doctor']);
        const { code } = await world.cli(['start', '--daemon']);
        if (code !== 0 && check.code === 0)
          violations.push(`${file} ${name}: it can not start, and doctor says all is well`);
        violations.push(...(await unknownCommands(world, check.text)));
      }
      context.say(`${file}: ${violations.length} problems so far`);
    }
    return { violations, figures: { damages: files.length * 2 } };
  },
};

/** Commands that advice names and that there are not. */
async function unknownCommands(world: World, text: string): Promise<readonly string[]> {
  const named = new Set([...text.matchAll(/`bulkhead ([a-z]+(?: [a-z]+)?)/g)].map((found) => found[1] ?? ''));
  const unknown: string[] = [];
  for (const words of named) {
    const { code } = await world.cli([...words.split(' '), '--help']);
    if (code !== 0) unknown.push(`advice names \`bulkhead ${words}\`, which there is not`);
  }
  return unknown;
}
