import { copyFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { optionsOf, type Row, type RowContext } from '../row.ts';
import { LEDGER, type Task, taskText } from '../task-model.ts';
import { type EventLine, World } from '../world.ts';

const TASK: Task = { steps: ['append', 'append'], delayMs: 10 };
const MESSAGES = 6;

type Damage = (wal: string) => void;

const DAMAGES: Readonly<Record<string, Damage>> = {
  'cut in half': (wal) => truncateSync(wal, Math.floor(readFileSync(wal).length / 2)),
  'cut near its end': (wal) => truncateSync(wal, readFileSync(wal).length - 20_000),
  deleted: (wal) => rmSync(wal),
  zeroed: (wal) => writeFileSync(wal, Buffer.alloc(readFileSync(wal).length)),
  'one bit flipped in the middle': (wal) => {
    const bytes = readFileSync(wal);
    const at = Math.floor(bytes.length / 2);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(wal, bytes);
  },
};

/** V4: the write-ahead log of the database is damaged after a crash. */
export const damagedLog: Row = {
  id: 'V4',
  fault: 'write-ahead log cut, flipped, zeroed, deleted',
  async run(context) {
    const violations: string[] = [];
    for (const [name, damage] of Object.entries(DAMAGES)) {
      const found = await damageOnce(context, damage);
      violations.push(...found.map((text) => `${name}: ${text}`));
      context.say(`${name}: ${found.length} problems`);
    }
    violations.push(...(await olderDatabase(context)));
    return { violations, figures: { kinds: Object.keys(DAMAGES).length + 1 } };
  },
};

async function damageOnce(context: RowContext, damage: Damage): Promise<readonly string[]> {
  await using world = await World.make(optionsOf(context));
  const told = await work(world);
  await world.kill();
  const wal = join(world.home, 'state/bulkhead.db-wal');
  if (!existsSync(wal) || readFileSync(wal).length < 40_000)
    return ['no write-ahead log to damage: nothing was tried'];
  damage(wal);
  return await judge(world, told);
}

/** The whole database is put back as it was before the last messages. */
async function olderDatabase(context: RowContext): Promise<readonly string[]> {
  await using world = await World.make(optionsOf(context));
  if (!(await world.start())) return ['older database: the first start failed'];
  await world.cli(['stop']);
  const database = join(world.home, 'state/bulkhead.db');
  copyFileSync(database, `${database}.older`);
  const told = await work(world);
  await world.cli(['stop']);
  copyFileSync(`${database}.older`, database);
  rmSync(`${database}-wal`, { force: true });
  return (await judge(world, told)).map((text) => `older database: ${text}`);
}

interface Told {
  readonly session: string;
  readonly messages: readonly string[];
  readonly events: readonly EventLine[];
}

async function work(world: World): Promise<Told> {
  if (!(await world.start())) throw new Error('the first start failed');
  const session = await world.session();
  const messages: string[] = [];
  for (let count = 0; count < MESSAGES; count += 1) {
    const id = `m${count}`;
    if ((await world.send(session, id, taskText(id, TASK))).status === 200) messages.push(id);
    await world.settled(session, id);
  }
  return { session, messages, events: await world.events(session) };
}

/** What is missing must be named, and nothing done twice. */
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
  const lines = readFileSync(join(world.work, LEDGER), 'utf8').split('\n').slice(0, -1);
  const doubled = lines.filter((line, index) => lines.indexOf(line) !== index);
  const report = `${doctor.text}\n${(await world.cli(['sessions', 'list'])).text}\n${(await world.cli(['sessions', 'show', session])).text}`;
  const unnamed = lost.filter((id) => !report.includes(id));
  return [
    ...doubled.map((line) => `${line} was done twice`),
    ...(lost.length > 0 && doctor.code === 0
      ? [`${lost.length} messages are lost and doctor says all is well`]
      : []),
    ...(unnamed.length > 0 ? [`lost and not named: ${unnamed.join(', ')}`] : []),
    ...(lost.length > 0 && (await world.send(session, 'new', taskText('new', TASK))).status === 200
      ? ['the session with lost messages takes new ones']
      : []),
  ];
}

/** V11: doctor on homes that can not start. */
export const doctor: Row = {
  id: 'V11',
  fault: 'doctor on a home that can not start',
  async run(context) {
    const violations: string[] = [];
    const files = [
      'policies/default.yaml',
      'config.yaml',
      'state/bulkhead.db',
      'state/labels.db',
      'state/approvals.db',
    ];
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
