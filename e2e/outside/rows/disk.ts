import { closeSync, existsSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { DiskImage } from '../image.ts';
import { type Sent, violationsOf } from '../oracle.ts';
import { optionsOf, type Row } from '../row.ts';
import { type Task, taskText } from '../task-model.ts';
import { World } from '../world.ts';

const TASK: Task = { steps: ['append', 'write', 'append'], delayMs: 30 };

/** V3: the disk under the home fills up, is freed, is full at a start. */
export const fullDisk: Row = {
  id: 'V3',
  fault: 'disk under the home full',
  problem: () => DiskImage.problem(),
  async run(context) {
    const violations: string[] = [];
    await using image = DiskImage.make({ megabytes: 200 });
    await using world = await World.make({ ...optionsOf(context), place: image.folder });
    if (!(await world.start())) return { violations: ['the first start failed'], figures: {} };
    const session = await world.session();
    const sent: Sent[] = [];
    const send = async (id: string): Promise<number> => {
      const { status } = await world.send(session, id, taskText(id, TASK));
      sent.push({ session, id, key: id, task: TASK, acknowledged: status === 200 });
      return status;
    };
    await send('m1');
    await world.settled(session, 'm1');
    for (let round = 0; round < 3 * context.scale; round += 1) {
      fill(image.folder);
      const status = await send(`full${round}`);
      await sleep(2_000);
      if ((await world.door.get('/api/v1/sessions')).status !== 200)
        violations.push(`round ${round}: reading failed`);
      if ((await world.events(session)).length === 0) violations.push(`round ${round}: no events while full`);
      context.say(`round ${round}: a message on the full disk is answered ${status}`);
      if (round === 1) await startOnFull(world, violations);
      free(image.folder);
      if (!(await worksAgain(world, send))) violations.push(`round ${round}: no work after room was made`);
    }
    for (const { id, acknowledged } of sent) if (acknowledged) await world.settled(session, id);
    return {
      violations: [...violations, ...(await violationsOf(world, sent, true))],
      figures: { rounds: 3 * context.scale },
    };
  },
};

async function startOnFull(world: World, violations: string[]): Promise<void> {
  await world.kill();
  const { code, text } = await world.cli(['start', '--daemon']);
  if (code !== 0) {
    violations.push(`no start on a full disk: ${text.slice(0, 300)}`);
    return;
  }
  if ((await world.cli(['sessions', 'list'])).code !== 0)
    violations.push('a full disk: sessions can not be listed');
}

async function worksAgain(world: World, send: (id: string) => Promise<number>): Promise<boolean> {
  // An engine that a disk made start anew waits 20 s before it does so again.
  for (let tries = 0; tries < 80; tries += 1) {
    if (!(await world.isUp(1_000))) await world.cli(['start', '--daemon']);
    if ((await send(`again${Date.now()}`)) === 200) return true;
    await sleep(500);
  }
  return false;
}

/** Takes all room there is, to the last block. */
function fill(folder: string): void {
  for (const size of [1_048_576, 4_096, 1]) {
    const fd = openSync(join(folder, 'ballast'), 'a');
    try {
      for (const part = Buffer.alloc(size); ; ) writeSync(fd, part);
    } catch {
      // No room is left for a part of this size.
    } finally {
      closeSync(fd);
    }
  }
}

function free(folder: string): void {
  rmSync(join(folder, 'ballast'), { force: true });
}

/** A disk that can only be read, under the home, at a start. */
export const readOnlyStart: Row = {
  id: 'W-readonly',
  fault: 'start on a read-only disk',
  problem: () => DiskImage.problem(),
  async run(context) {
    await using image = DiskImage.make({ megabytes: 200 });
    await using world = await World.make({ ...optionsOf(context), place: image.folder });
    if (!(await world.start())) return { violations: ['the first start failed'], figures: {} };
    const session = await world.session();
    await world.send(session, 'm1', taskText('m1', TASK));
    await world.settled(session, 'm1');
    await world.kill();
    image.remount('ro');
    const violations: string[] = [];
    const { code, text } = await world.cli(['start', '--daemon']);
    if (code !== 0) violations.push(`no start: ${text.slice(0, 300)}`);
    else {
      const shown = await world.cli(['sessions', 'show', session]);
      if (!shown.text.includes('task m1'))
        violations.push(`a session can not be read: ${shown.text.slice(0, 300)}`);
      const { status } = await world.send(session, 'm2', taskText('m2', TASK));
      if (status === 200) violations.push('a message was taken on a disk that can not be written');
    }
    image.remount('rw');
    if (!(await worksAgain(world, async (id) => (await world.send(session, id, taskText(id, TASK))).status)))
      violations.push('no work after the disk could be written again');
    return { violations, figures: {} };
  },
};

/** The home is unmounted under a running engine. */
export const vanishedHome: Row = {
  id: 'W-vanish',
  fault: 'home or database taken away while running',
  problem: () => DiskImage.problem(),
  async run(context) {
    const violations: string[] = [];
    await using world = await World.make(optionsOf(context));
    if (!(await world.start())) return { violations: ['the first start failed'], figures: {} };
    const session = await world.session();
    await world.send(session, 'm1', taskText('m1', TASK));
    await world.settled(session, 'm1');
    for (const suffix of ['', '-wal', '-shm']) {
      const path = join(world.home, `state/bulkhead.db${suffix}`);
      if (existsSync(path)) renameSync(path, `${path}.away`);
    }
    if ((await world.send(session, 'm2', taskText('m2', TASK))).status === 200)
      violations.push('a message was acknowledged into a database that was taken away');
    await world.kill();
    for (const suffix of ['', '-wal', '-shm']) {
      const path = join(world.home, `state/bulkhead.db${suffix}`);
      rmSync(path, { force: true });
      if (existsSync(`${path}.away`)) renameSync(`${path}.away`, path);
    }
    if (!(await world.start())) violations.push('no start after the database came back');
    renameSync(world.home, `${world.home}.away`);
    await world.send(session, 'm3', taskText('m3', TASK));
    for (const pid of world.processes().slice(1, 2)) process.kill(pid, 'SIGKILL');
    await sleep(3_000);
    const made = existsSync(world.home) ? readdirSync(world.home) : [];
    if (made.includes('policies')) violations.push('a home that went away was made anew');
    await world.kill();
    rmSync(world.home, { recursive: true, force: true });
    renameSync(`${world.home}.away`, world.home);
    return { violations, figures: {} };
  },
};

/** Another program holds the database. */
export const foreignLock: Row = {
  id: 'W-lock',
  fault: 'another program locks the database for 4 s',
  async run(context) {
    await using world = await World.make(optionsOf(context));
    if (!(await world.start())) return { violations: ['the first start failed'], figures: {} };
    const session = await world.session();
    const database = new DatabaseSync(join(world.home, 'state/bulkhead.db'));
    database.exec('BEGIN IMMEDIATE');
    const waits: number[] = [];
    const sending = world.send(session, 'm1', taskText('m1', TASK));
    for (const end = Date.now() + 4_000; Date.now() < end; await sleep(50))
      waits.push((await world.door.get('/api/v1/status')).ms);
    database.exec('ROLLBACK');
    database.close();
    await sending;
    const longest = Math.round(Math.max(...waits));
    return {
      violations: longest > 1_000 ? [`status waited ${longest} ms`] : [],
      figures: { longestMs: longest },
    };
  },
};
