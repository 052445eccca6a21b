import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DiskImage } from '../image.ts';
import { type Sent, violationsOf } from '../oracle.ts';
import { optionsOf, type Row } from '../row.ts';
import { type Task, taskText } from '../task-model.ts';
import { type EventLine, World } from '../world.ts';

/** V5: no fault at all, home and working folder on one ext4. */
export const edits: Row = {
  id: 'V5',
  fault: 'none: edits, writes and commands on one ext4',
  problem: () => DiskImage.problem(),
  async run(context) {
    await using image = DiskImage.make({ megabytes: 600 });
    await using world = await World.make({ ...optionsOf(context), place: image.folder });
    if (!(await world.start())) return { violations: ['the first start failed'], figures: {} };
    const rounds = 2 * context.scale;
    const ends: EventLine[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const keys = Array.from({ length: SESSIONS }, (_, index) => `e${round}x${index}`);
      ends.push(...(await Promise.all(keys.map((key) => editOnce(world, key)))).flat());
      context.say(`${ends.length} calls`);
    }
    const calls = ends.length;
    const refused = ends
      .filter((end) => end['success'] !== true)
      .map((end) => String(end['summary']).slice(0, 120));
    return { violations: refused, figures: { calls, refused: refused.length } };
  },
};

/** Sessions that work at the same time, and calls of each: no more than a run has rounds. */
const SESSIONS = 4;
const CALLS = 24;

async function editOnce(world: World, key: string): Promise<readonly EventLine[]> {
  const session = await world.session();
  writeFileSync(join(world.work, `edit-${key}.txt`), 'end\n');
  const steps = Array.from({ length: CALLS }, (_, index) => STEPS[index % STEPS.length] ?? 'edit');
  await world.send(session, key, taskText(key, { steps }));
  await world.settled(session, key, 120_000);
  return (await world.events(session)).filter(({ type }) => type === 'action_completed');
}

const STEPS: Task['steps'] = ['edit', 'append', 'edit', 'write', 'edit'];

const LONG: Task = { steps: ['append', 'slow', 'append', 'slow'], delayMs: 300 };

const WAYS = ['stop', 'restart', 'term'] as const;

/** V10: an orderly end in the middle of a message. */
export const orderlyEnds: Row = {
  id: 'V10',
  fault: 'stop, restart and SIGTERM during a message',
  async run(context) {
    const rounds = Array.from({ length: 2 * context.scale }, (_, round) => round);
    const violations: string[] = [];
    let refusals = 0;
    for (const [way, round] of rounds.flatMap((at) => WAYS.map((one) => [one, at] as const))) {
      await using world = await World.make(optionsOf(context));
      const end = await endOnce(world, way, 400 + round * 700);
      refusals += end.refusals;
      violations.push(...end.violations.map((text) => `${way}: ${text}`));
      context.say(`${way}, round ${round}: ${violations.length} problems so far`);
    }
    return { violations, figures: { refusals } };
  },
};

async function endOnce(
  world: World,
  way: (typeof WAYS)[number],
  afterMs: number,
): Promise<{ readonly violations: readonly string[]; readonly refusals: number }> {
  if (!(await world.start())) return { violations: ['the first start failed'], refusals: 0 };
  const session = await world.session();
  const { status } = await world.send(session, 'm1', taskText('m1', LONG));
  const first: Sent = { session, id: 'm1', key: 'm1', task: LONG, acknowledged: status === 200 };
  await sleep(afterMs);
  const ending = way === 'term' ? term(world) : world.cli([way]);
  const meanwhile = await sendMeanwhile(world, session);
  await ending;
  if (!(await world.isUp(2_000))) await world.start();
  const sent = [first, ...meanwhile.sent];
  for (const { id } of sent) await world.settled(session, id, 60_000);
  const events = await world.events(session);
  const aborted = events.filter((event) => event.type === 'settled' && event['outcome'] === 'aborted');
  return {
    refusals: meanwhile.refusals,
    violations: [
      ...meanwhile.violations,
      ...aborted.map((event) => `${String(event['message'])} ended as aborted, and nobody asked for that`),
      ...(await violationsOf(world, sent)),
    ],
  };
}

/** Sends for two seconds while the engine ends: each message is taken, or refused with 503 and a time to come back. */
async function sendMeanwhile(world: World, session: string) {
  const task: Task = { steps: ['append'] };
  const sent: Sent[] = [];
  const violations: string[] = [];
  let refusals = 0;
  for (let tries = 0; tries < 20; tries += 1) {
    const id = `d${tries}`;
    const { status, headers, text } = await world.send(session, id, taskText(id, task));
    if (status === 200) sent.push({ session, id, key: id, task, acknowledged: true });
    else if (status !== 0) refusals += 1;
    if (![0, 200].includes(status) && (status !== 503 || headers['retry-after'] === undefined))
      violations.push(`a message meanwhile is answered ${status}: ${text.slice(0, 120)}`);
    await sleep(100);
  }
  return { sent, violations, refusals };
}

async function term(world: World): Promise<void> {
  for (const pid of world.processes()) {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    if (command.includes('supervisor.js')) process.kill(pid, 'SIGTERM');
  }
  for (let waited = 0; waited < 100 && world.processes().length > 0; waited += 1) await sleep(100);
}

/** Kills of everything, at any moment. */
export const kills: Row = {
  id: 'K',
  fault: 'kill -9 of every process',
  async run(context) {
    const violations: string[] = [];
    await using world = await World.make(optionsOf(context));
    await world.start();
    const sent: Sent[] = [];
    const rounds = 8 * context.scale;
    for (let round = 0; round < rounds; round += 1) {
      if (!(await world.isUp(2_000))) await world.start();
      const session = await world.session();
      const id = `k${round}`;
      const task: Task = { steps: ['append', 'append', 'append'], delayMs: 20 };
      const { status } = await world.send(session, id, taskText(id, task));
      sent.push({ session, id, key: id, task, acknowledged: status === 200 });
      await sleep((round * 137) % 900);
      const all = world.processes();
      const one = all[round % Math.max(1, all.length)];
      if (one !== undefined && round % 2 === 0) process.kill(one, 'SIGKILL');
      else await world.kill();
    }
    if (!(await world.isUp(5_000))) await world.start();
    for (const { session, id, acknowledged } of sent) if (acknowledged) await world.settled(session, id);
    violations.push(...(await violationsOf(world, sent)));
    return { violations, figures: { kills: rounds } };
  },
};
