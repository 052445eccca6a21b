import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { descriptorsOf, memoryOf } from '../processes.ts';
import { optionsOf, type Row, type RowContext } from '../row.ts';
import { type Task, taskText } from '../task-model.ts';
import { World } from '../world.ts';

/** V8: many messages at once. Times are figures, not verdicts: the machine may be busy. */
export const manyMessages: Row = {
  id: 'V8',
  fault: 'messages to many sessions at once',
  async run(context) {
    const count = context.scale > 1 ? 100 : 30;
    await using world = await World.make(optionsOf(context));
    if (!(await world.start())) return { violations: ['the first start failed'], figures: {} };
    const task: Task = { steps: ['write', 'append'], delayMs: 50 };
    const sessions = await Promise.all(Array.from({ length: count }, () => world.session()));
    const watch = new Watch(world);
    const answers = await Promise.all(
      sessions.map((session, index) => world.send(session, `l${index}`, taskText(`l${index}`, task))),
    );
    const violations = answers
      .filter(({ status }) => status !== 200)
      .map(({ status }) => `a message was answered ${status}`);
    for (const [index, session] of sessions.entries()) {
      const end = await world.settled(session, `l${index}`, 180_000);
      if (end?.['outcome'] !== 'completed') violations.push(`l${index} ended as ${String(end?.['outcome'])}`);
    }
    const seen = await watch.end();
    const acks = answers.map(({ ms }) => ms);
    return {
      violations,
      figures: { messages: count, ackP50: share(acks, 0.5), ackP95: share(acks, 0.95), ...seen },
    };
  },
};

/** V7: an answer larger than anybody reads. */
export const hugeAnswer: Row = {
  id: 'V7',
  fault: 'an answer of 50 MB, and clients that never read',
  async run(context) {
    const violations: string[] = [];
    await using world = await World.make(optionsOf(context));
    if (!(await world.start())) return { violations: ['the first start failed'], figures: {} };
    const before = memoryOf(world.processes());
    const hung = await hangClients(world, 40);
    const session = await world.session();
    const watch = new Watch(world);
    await world.send(session, 'big', taskText('big', { steps: [], bytes: 50_000_000, pieceBytes: 8_192 }));
    const end = await world.settled(session, 'big', 180_000);
    const seen = await watch.end();
    const events = await world.events(session);
    const reason = events.filter(({ type }) => type === 'error').map((event) => String(event['message']));
    if (end === undefined) violations.push('it never ended');
    else if (end['outcome'] !== 'completed' && !/large|long|MB|limit|bytes/i.test(reason.join()))
      violations.push(
        `it ended as ${String(end['outcome'])} with a reason that is not the true one: ${reason.join()}`,
      );
    for (const close of hung) close();
    return { violations, figures: { outcome: String(end?.['outcome']), before, ...seen } };
  },
};

/** Clients that ask for all events and never read one. */
async function hangClients(world: World, count: number): Promise<readonly (() => void)[]> {
  const authorization = await world.door.authorization();
  const session = await world.session();
  return Array.from({ length: count }, () => {
    const headers = { authorization };
    const path = `/api/v1/sessions/${session}/events?follow=true`;
    const sent = request({ host: '127.0.0.1', port: world.door.port, path, headers });
    sent.on('response', (response) => response.pause());
    sent.on('error', () => {});
    sent.end();
    return () => void sent.destroy();
  });
}

/** Asks for the status all the time, and measures memory. */
class Watch {
  readonly #world: World;
  readonly #waits: number[] = [];
  #peak = 0;
  #most = 0;
  #stopped = false;
  readonly #running: Promise<void>;

  constructor(world: World) {
    this.#world = world;
    this.#running = this.#run();
  }

  async end(): Promise<Readonly<Record<string, number>>> {
    this.#stopped = true;
    await this.#running;
    const waits = this.#waits;
    return {
      statusP95: share(waits, 0.95),
      statusMax: share(waits, 1),
      peakMB: this.#peak,
      processes: this.#most,
    };
  }

  async #run(): Promise<void> {
    for (let round = 0; !this.#stopped; round += 1) {
      this.#waits.push((await this.#world.door.get('/api/v1/status')).ms);
      if (round % 10 === 0) {
        const pids = this.#world.processes();
        this.#peak = Math.max(this.#peak, memoryOf(pids));
        this.#most = Math.max(this.#most, pids.length);
      }
      await sleep(50);
    }
  }
}

/** The value that this share of all does not exceed, rounded. */
function share(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? 0);
}

/** Work for as long as is asked, and what grows meanwhile. */
export async function soak(context: RowContext, minutes: number): Promise<readonly SoakSample[]> {
  await using world = await World.make(optionsOf(context));
  if (!(await world.start())) throw new Error('the first start failed');
  const samples: SoakSample[] = [];
  const began = Date.now();
  for (let round = 0; Date.now() - began < minutes * 60_000; round += 1) {
    const session = await world.session();
    for (const part of [1, 2, 3]) {
      const id = `s${round}-${part}`;
      await world.send(session, id, taskText(id, { steps: ['append', 'write', 'append'] }));
      await world.settled(session, id);
    }
    const pids = world.processes();
    const sample = {
      seconds: Math.round((Date.now() - began) / 1_000),
      messages: (round + 1) * 3,
      memoryMB: memoryOf(pids),
      descriptors: descriptorsOf(pids),
      diskKB: Number((await sizeOf(world.home)) / 1_024),
    };
    samples.push(sample);
    if (round % 20 === 0) context.say(JSON.stringify(sample));
  }
  return samples;
}

export interface SoakSample {
  readonly seconds: number;
  readonly messages: number;
  readonly memoryMB: number;
  readonly descriptors: number;
  readonly diskKB: number;
}

async function sizeOf(folder: string): Promise<number> {
  const { readdir, stat } = await import('node:fs/promises');
  let bytes = 0;
  for (const name of await readdir(folder, { recursive: true })) {
    const found = await stat(`${folder}/${name}`).catch(() => undefined);
    bytes += found?.isFile() === true ? found.size : 0;
  }
  return Math.round(bytes);
}
