import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { LoopDisk } from '@bulkhead/testkit/disk';
import { sweepOf } from '@bulkhead/testkit/sweep';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ofType } from './support/event-lines.ts';
import { Stage } from './support/stage.ts';
import { unjudgedCommands } from './support/unjudged-commands.ts';
import { bash } from './support/waiting-command.ts';

/*
 * Home and working folders share one disk of their own, where an inode that was freed is given to the next file. Each
 * round of a session writes, edits and runs a command, so files of the home come and go beside those of the user. Sessions are
 * short and begin while others work, so that workers start among files of the home that are gone a moment later.
 */
const CALLS = Number(process.env['BULKHEAD_EDITS'] ?? sweepOf(40, 200));
const CALLS_PER_ROUND = 5;
const ROUNDS = 2;
/** Sessions at the same time. */
const AT_ONCE = 4;

let disk: LoopDisk | undefined;
beforeAll(() => {
  disk = LoopDisk.open('ext4-no-journal');
});
afterAll(() => disk?.[Symbol.dispose]());

function roundOf(number: number): readonly { readonly name: string; readonly args: object }[] {
  const [a, b] = [`a${number}.txt`, `b${number}.txt`];
  return [
    { name: 'write', args: { path: a, content: `one ${number}\n` } },
    { name: 'edit', args: { path: a, old_text: 'one', new_text: 'two' } },
    bash(`for i in 1 2 3; do echo $i > c$i-${number}; done; echo three > ${b}; rm -f c*-${number - 1}`),
    { name: 'read', args: { path: b } },
    { name: 'edit', args: { path: b, old_text: 'three', new_text: 'four' } },
  ];
}

it(`refuses none of many edits, writes and commands where home and working folder share a disk [FT13]`, {
  timeout: 240_000 + CALLS * 600,
}, async ({ skip }) => {
  if (disk === undefined) skip('no disk can be made here (root, loop devices, mkfs.ext4): nothing is proved');
  await using stage = new Stage(disk?.folder);
  await stage.model(
    ({ bodyText }) => {
      const done = bodyText.split('"role":"tool"').length - 1;
      const number = done / CALLS_PER_ROUND;
      return number < ROUNDS ? { toolCalls: roundOf(number) } : { text: 'done' };
    },
    { config: unjudgedCommands(stage), models: 'title: { provider: offline, model: rules },' },
  );
  const sessions = Math.ceil(CALLS / (ROUNDS * CALLS_PER_ROUND));
  const results: { readonly isError: boolean; readonly text: string }[] = [];
  await stage.cli(['start', '--daemon']);
  const left = Array.from({ length: sessions }, (_, session) => session);
  const lanes = Array.from({ length: AT_ONCE }, async () => {
    for (let session = left.shift(); session !== undefined; session = left.shift()) {
      const folder = join(stage.folder, `s${session}`);
      mkdirSync(folder);
      const { events } = await stage.cli(['run', '--json', '--cwd', folder, 'go'], { timeoutMs: 300_000 });
      results.push(...ofType(events, 'tool_output'));
    }
  });
  await Promise.all(lanes);
  const refused = results.filter(({ isError }) => isError).map(({ text }) => text);
  if (refused.length > 0 || process.env['BULKHEAD_EDITS'] !== undefined)
    process.stdout.write(`edits: ${refused.length} of ${results.length} calls refused\n`);
  expect(refused).toEqual([]);
  expect(results).toHaveLength(sessions * ROUNDS * CALLS_PER_ROUND);
  for (let session = 0; session < sessions; session += 1) {
    expect(stage.read(`s${session}/a${ROUNDS - 1}.txt`)).toBe(`two ${ROUNDS - 1}\n`);
    expect(stage.read(`s${session}/b${ROUNDS - 1}.txt`)).toBe('four\n');
  }
  await stage.cli(['stop']);
});
