import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { busyness } from '@bulkhead/testkit/processor-time';
import { describe, expect, it } from 'vitest';
import { ofType } from './support/event-lines.ts';
import { descendantsOf, isAlive, type ProcessEntry, processEntry } from './support/process-table.ts';
import { pidsOf } from './support/running-status.ts';
import type { Stage } from './support/stage.ts';
import { until } from './support/until.ts';
import { useSharedStage } from './support/use-stage.ts';

const stage = useSharedStage();

const hasServer = existsSync('/usr/bin/python3') && existsSync('/usr/bin/curl');

/** Says so, writes the folder, and goes on with a child that ignores a polite end. */
const SERVE = "trap '' TERM; echo listening; echo live > served; sleep 1000 & wait; sleep 1000";

interface Listed {
  readonly id: string;
  readonly session: string;
  readonly state: string;
  readonly pid: number;
  readonly output: string;
}

async function listed(at: Stage, ...args: readonly string[]): Promise<readonly Listed[]> {
  return JSON.parse((await at.cli(['processes', 'list', '--json', ...args])).stdout);
}

/** Has a session start one background command, and the run end. */
async function started(at: Stage) {
  await at.model([
    { toolCalls: [{ name: 'bash', args: { command: SERVE, background: true } }] },
    { text: 'done' },
  ]);
  const { code, events } = await at.cli(['run', '--json', '--approve', 'allow', 'go']);
  expect(code).toBe(0);
  const [command, ...more] = await listed(at);
  if (command === undefined || more.length > 0) throw new Error('not one background command');
  const self = processEntry(command.pid);
  if (self === undefined) throw new Error('it does not run');
  await until('what it wrote is there', () => existsSync(join(at.folder, 'served')));
  const processes = [self, ...descendantsOf(command.pid)];
  expect(processes.length).toBeGreaterThanOrEqual(3);
  return { command, processes, said: ofType(events, 'tool_output') };
}

const gone = (processes: readonly ProcessEntry[], withinMs: number) =>
  until('all of it has ended', () => !processes.some(isAlive), withinMs * busyness());

describe('a background command', () => {
  it('outlives its run, is listed by status and processes, writes the folder immediately, and is stopped [B2]', async () => {
    const { command, processes, said } = await started(stage());
    expect(said[0]?.text).toContain(`in the background as ${command.id}`);
    expect(stage().read('served')).toBe('live\n');
    const status = await stage().status();
    expect(pidsOf(status, 'command', command.session)).toEqual([command.pid]);
    expect((await stage().cli(['status'])).stdout).toMatch(new RegExp(`commands +${command.pid}\\b`));
    expect(await listed(stage(), '--session', command.session)).toEqual([command]);
    expect(await listed(stage(), '--session', 'another')).toEqual([]);
    expect((await stage().cli(['processes', 'stop', command.id, '--session', 'another'])).code).toBe(1);
    expect(processes.every(isAlive)).toBe(true);
    expect(await stage().cli(['processes', 'stop', command.id])).toMatchObject({
      code: 0,
      stdout: `stopped ${command.id}\n`,
    });
    // Whatever could write has ended by the answer; the kernel may still be taking the box itself down.
    await gone(processes, 500);
    expect(await listed(stage())).toEqual([]);
    expect((await stage().cli(['processes', 'stop', command.id])).code).toBe(1);
  });

  it.runIf(hasServer)(
    'is also what a command leaves with `&`: unasked, and the next command reaches it [B2]',
    async () => {
      stage().write('page', 'from the server');
      const asks = 'curl -s -f http://127.0.0.1:8123/page';
      const serve = `python3 -m http.server 8123 --bind 127.0.0.1 > log 2>&1 & until ${asks}; do sleep 0.1; done`;
      await stage().model([
        { toolCalls: [{ name: 'bash', args: { command: serve } }] },
        { toolCalls: [{ name: 'bash', args: { command: asks } }] },
        { text: 'done' },
      ]);
      const { code, events } = await stage().cli(['run', '--json', '--approve', 'deny', 'go']);
      expect(code).toBe(0);
      const [begun, asked] = ofType(events, 'tool_output').map(({ text }) => text);
      expect(begun).toMatch(/goes on as [^ ]+-left: process_stop ends it/);
      expect(asked).toContain('from the server');
      const [command] = await listed(stage());
      expect(begun).toContain(command?.id);
      expect((await stage().cli(['processes', 'stop', command?.id ?? ''])).code).toBe(0);
      expect(await listed(stage())).toEqual([]);
    },
  );

  it('ends with its session, and leaves no output of it behind [B2]', async () => {
    const { command, processes } = await started(stage());
    expect(existsSync(command.output)).toBe(true);
    expect((await stage().cli(['sessions', 'delete', command.session, '--yes'])).code).toBe(0);
    await gone(processes, 500);
    expect(existsSync(command.output)).toBe(false);
    expect(await listed(stage())).toEqual([]);
  });

  it.each(['stop', 'kill -9'])('ends with its engine, by %s [B2] [P8]', async (how) => {
    const { processes } = await started(stage());
    if (how === 'stop') await stage().cli(['stop']);
    else await stage().killEngine();
    await gone(processes, how === 'stop' ? 100 : 2_000);
    if (how !== 'stop') expect(await listed(stage())).toEqual([]);
  });
});
