import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { optionsOf, type Row } from '../row.ts';
import { taskText } from '../task-model.ts';
import { fieldsOf, World } from '../world.ts';

/** Adds the seconds that stand in a file to every reading of the wall clock. Time that only goes on stays as it is. */
const SHIM = `
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static long offset(void) {
    const char *path = getenv("OUTSIDE_CLOCK");
    FILE *file = path == NULL ? NULL : fopen(path, "r");
    long seconds = 0;
    if (file != NULL) {
        if (fscanf(file, "%ld", &seconds) != 1) seconds = 0;
        fclose(file);
    }
    return seconds;
}
int clock_gettime(clockid_t id, struct timespec *now) {
    int result = (int)syscall(SYS_clock_gettime, id, now);
    if (result == 0 && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) now->tv_sec += offset();
    return result;
}
int gettimeofday(struct timeval *now, void *zone) {
    struct timespec exact;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &exact);
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}
time_t time(time_t *place) {
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    if (place != NULL) *place = exact.tv_sec;
    return exact.tv_sec;
}
`;

const DAY = 86_400;
const JUMPS: readonly number[] = [0, 400 * DAY, 0, -400 * DAY, 0, 3_650 * DAY, 0];
const EACH = 6;

/** V6: the wall clock jumps, with and without a restart. */
export const clocks: Row = {
  id: 'V6',
  fault: 'the wall clock jumps by years',
  problem() {
    try {
      execFileSync('cc', ['--version'], { stdio: 'ignore' });
      return undefined;
    } catch {
      return 'needs a C compiler';
    }
  },
  async run(context) {
    const folder = mkdtempSync(join(tmpdir(), 'outside-clock-'));
    try {
      return await jumps(context, folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function jumps(context: Parameters<Row['run']>[0], folder: string): ReturnType<Row['run']> {
  const clock = join(folder, 'offset');
  writeFileSync(clock, '0');
  writeFileSync(join(folder, 'shim.c'), SHIM);
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', join(folder, 'shim.so'), join(folder, 'shim.c')]);
  const env = { LD_PRELOAD: join(folder, 'shim.so'), OUTSIDE_CLOCK: clock };
  await using world = await World.make({ ...optionsOf(context), env });
  if (!(await world.start())) return { violations: ['the first start failed'], figures: {} };
  const violations: string[] = [];
  const waiting = await world.session();
  await world.send(waiting, 'ask', taskText('ask', { steps: ['ask'] }), 'ASK');
  await sleep(2_500);
  const pending = () => waitingQuestions(world);
  if ((await pending()) !== 1) violations.push('no question waits: the list is not tried');
  let made = 0;
  for (const [index, jump] of JUMPS.entries()) {
    writeFileSync(clock, String(jump));
    // The question lives 300 s of running time; the list must show it whatever the calendar says.
    if (index < 4 && (await pending()) !== 1)
      violations.push(`at ${jump / DAY} days the waiting question is not listed`);
    if (index >= 4) {
      await world.kill();
      await world.start();
    }
    made += await makeSnapshots(world, index);
    const kept = ((await world.cli(['chronicle', 'list', '--json'])).text.match(/c\d+-\d+-1\.txt/g) ?? [])
      .length;
    context.say(`at ${jump / DAY} days: ${made} made, ${kept} in the list`);
    if (kept < made) violations.push(`at ${jump / DAY} days ${made - kept} of ${made} snapshots are gone`);
  }
  return { violations, figures: { made } };
}

async function waitingQuestions(world: World): Promise<number> {
  const { approvals } = { approvals: [], ...fieldsOf((await world.door.get('/api/v1/approvals')).body) };
  return Array.isArray(approvals) ? approvals.length : 0;
}

/** @returns how many messages that each change one file have ended well */
async function makeSnapshots(world: World, series: number): Promise<number> {
  const session = await world.session();
  let made = 0;
  for (let count = 0; count < EACH; count += 1) {
    const id = `c${series}-${count}`;
    await world.send(session, id, taskText(id, { steps: ['write'] }));
    if ((await world.settled(session, id))?.['outcome'] === 'completed') made += 1;
  }
  return made;
}
