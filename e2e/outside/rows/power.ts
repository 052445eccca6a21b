import { setTimeout as sleep } from 'node:timers/promises';
import { DiskImage } from '../image.ts';
import { type Sent, violationsOf } from '../oracle.ts';
import { optionsOf, type Row, type RowContext } from '../row.ts';
import { type Task, taskText } from '../task-model.ts';
import { World } from '../world.ts';

const TASK: Task = { steps: ['append', 'append', 'append', 'append', 'append', 'append'], delayMs: 20 };

/** V1: power goes while commands are committed. */
export const powerLoss: Row = {
  id: 'V1',
  fault: 'power lost during commits',
  problem: () => DiskImage.problem(),
  async run(context) {
    const violations: string[] = [];
    const cuts = 6 * context.scale;
    let bad = 0;
    for (let cut = 0; cut < cuts; cut += 1) {
      const found = await cutOnce(context, 100 + ((cut * 377) % 1_700), cut % 2 === 1);
      bad += found.length > 0 ? 1 : 0;
      violations.push(...found.map((text) => `cut ${cut}: ${text}`));
      context.say(`cut ${cut + 1} of ${cuts}, ${bad} bad`);
    }
    return { violations, figures: { cuts, bad } };
  },
};

async function cutOnce(context: RowContext, afterMs: number, late: boolean): Promise<readonly string[]> {
  await using image = DiskImage.make({ megabytes: 400, ...(late ? { mount: 'commit=60' } : {}) });
  await using world = await World.make({ ...optionsOf(context), place: image.folder });
  if (!(await world.start())) return ['the first start failed'];
  image.flush();
  const session = await world.session();
  const sent: Sent[] = [];
  for (const id of ['m1', 'm2']) {
    const { status } = await world.send(session, id, taskText(id, TASK));
    sent.push({ session, id, key: id, task: TASK, acknowledged: status === 200 });
  }
  await sleep(afterMs);
  image.cutPower();
  await world.kill();
  await image.unmount();
  image.mount();
  if (!(await world.start()))
    return [`no start after the cut: ${(await world.cli(['start', '--daemon'])).text}`];
  for (const { id, acknowledged } of sent) if (acknowledged) await world.settled(session, id);
  return await violationsOf(world, sent);
}

/** V2: power goes while a home is made. */
export const powerAtFirstStart: Row = {
  id: 'V2',
  fault: 'power lost in the first seconds of a home',
  problem: () => DiskImage.problem(),
  async run(context) {
    const violations: string[] = [];
    const cuts = 6 * context.scale;
    for (let cut = 0; cut < cuts; cut += 1) {
      await using image = DiskImage.make({ megabytes: 400, mount: 'commit=60' });
      await using world = await World.make({ ...optionsOf(context), place: image.folder });
      image.flush();
      const starting = world.cli(['start', '--daemon']);
      await sleep(150 + cut * 450);
      image.cutPower();
      await world.kill();
      await starting;
      await image.unmount();
      image.mount();
      world.door.forgetToken();
      const again = await world.cli(['start', '--daemon']);
      if (again.code !== 0) violations.push(`cut ${cut}: no start: ${again.text.slice(0, 200)}`);
      else if (!(await works(world))) violations.push(`cut ${cut}: it starts and does not work`);
      context.say(`cut ${cut + 1} of ${cuts}`);
    }
    return { violations, figures: { cuts, bad: violations.length } };
  },
};

async function works(world: World): Promise<boolean> {
  if (!(await world.isUp())) return false;
  const session = await world.session();
  const { status } = await world.send(session, 'w1', taskText('w1', { steps: ['append'] }));
  return status === 200 && (await world.settled(session, 'w1'))?.['outcome'] === 'completed';
}
