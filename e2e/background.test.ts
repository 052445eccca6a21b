import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScriptedReply } from '@bulkhead/testkit';
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

/**
 * Writes the folder, says so, and goes on with a child that ignores a polite end. A file that is open for
 * writing keeps what it wrote from being kept before its end.
 */
const SERVE = "trap '' TERM; exec 9> served; echo live >&9; echo listening; sleep 1000 & wait; sleep 1000";

interface Listed {
  readonly id: string;
  readonly command: string;
  readonly session: string;
  readonly state: string;
  readonly pid: number;
  readonly output: string;
  readonly ended: string | null;
  readonly remarks: readonly string[];
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
  const { code, events } = await at.cli(['run', '--json', '--approve', 'deny', 'go']);
  expect(code).toBe(0);
  const [command, ...more] = await listed(at);
  if (command === undefined || more.length > 0) throw new Error('not one background command');
  const self = processEntry(command.pid);
  if (self === undefined) throw new Error('it does not run');
  await until('it has written', () => existsSync(command.output) && said(command).includes('listening'));
  const processes = [self, ...descendantsOf(command.pid)];
  expect(processes.length).toBeGreaterThanOrEqual(3);
  return { command, processes, told: ofType(events, 'tool_output') };
}

const hasTools = (body: unknown) => JSON.stringify(body).includes('"tools"');

const said = ({ output }: Listed) => readFileSync(output, 'utf8');

const gone = (processes: readonly ProcessEntry[], withinMs: number) =>
  until('all of it has ended', () => !processes.some(isAlive), withinMs * busyness());

describe('a background command', () => {
  it('runs unasked, outlives its run, is listed, and is stopped: then what it wrote is kept, and can be undone [B2] [U1]', async () => {
    const { command, processes, told } = await started(stage());
    expect(told[0]?.text).toContain(`in the background as ${command.id}`);
    expect(existsSync(join(stage().folder, 'served'))).toBe(false);
    const status = await stage().status();
    expect(pidsOf(status, 'command', command.session)).toEqual([command.pid]);
    expect((await stage().cli(['status'])).stdout).toMatch(new RegExp(`commands +${command.pid}\\b`));
    expect(await listed(stage(), '--session', command.session)).toEqual([command]);
    expect(await listed(stage(), '--session', 'another')).toEqual([]);
    const output = ['processes', 'output', command.id];
    expect(await stage().cli(output)).toMatchObject({ code: 0, stdout: 'listening\n' });
    expect((await stage().cli([...output, '--session', 'another'])).code).toBe(1);
    const followed = stage().cli([...output, '--follow']);
    expect((await stage().cli(['processes', 'stop', command.id, '--session', 'another'])).code).toBe(1);
    expect(processes.every(isAlive)).toBe(true);
    const stopped = await stage().cli(['processes', 'stop', command.id]);
    expect(stopped.code).toBe(0);
    expect(stopped.stdout).toContain(`stopped ${command.id}\n`);
    expect(stopped.stdout).toContain('+ served');
    // Whatever could write has ended by the answer; the kernel may still be taking the box itself down.
    await gone(processes, 500);
    expect(await listed(stage())).toEqual([]);
    expect(await followed).toMatchObject({ code: 0, stdout: 'listening\n', stderr: '' });
    expect((await stage().cli(['processes', 'stop', command.id])).code).toBe(1);
    expect(stage().read('served')).toBe('live\n');
    const [kept] = JSON.parse((await stage().cli(['chronicle', 'list', '--json'])).stdout);
    expect(kept).toMatchObject({ about: SERVE });
    expect((await stage().cli(['chronicle', 'rollback', kept.id])).code).toBe(0);
    expect(existsSync(join(stage().folder, 'served'))).toBe(false);
  });

  it('that ends without a stop is kept or waits, and process_stop settles: what another changed stays [B2] [FT14]', async () => {
    stage().write('edited', 'before');
    const background = (command: string) => ({
      toolCalls: [{ name: 'bash', args: { command, background: true } }],
    });
    const edits = 'exec 9> made; echo its >&9; echo its > edited; > /tmp/edits; sleep 1000';
    const plants = 'echo x > .envrc';
    const builds = 'echo built > built; exit 3';
    const wait = 'for i in {1..600}; do [ -e /tmp/edits ] && break; sleep 0.1; done';
    const replies: ScriptedReply[] = [
      { toolCalls: [{ name: 'load_tools', args: { groups: ['processes'] } }] },
      background(edits),
      background(plants),
      background(builds),
      { toolCalls: [{ name: 'bash', args: { command: wait } }] },
      { toolCalls: [{ name: 'write', args: { path: 'edited', content: 'by another' } }] },
      { text: 'done' },
    ];
    // Requests beside the run's, as for a title, offer no tools.
    await stage().model(({ body }) => (hasTools(body) && replies.shift()) || { text: 'done' });
    expect((await stage().cli(['run', '--json', '--approve', 'deny', 'go'])).code).toBe(0);
    await until('one was kept', () => existsSync(join(stage().folder, 'built')));
    let known: readonly Listed[] = [];
    await until('both have been judged', async () => {
      known = await listed(stage());
      return known.filter(({ remarks }) => remarks.length > 0).length === 2;
    });
    const of = (command: string) => known.find((one) => one.command === command);
    expect(of(builds)).toMatchObject({ ended: 'exit code 3', remarks: ['files: 1 created', '+ built'] });
    expect(of(plants)?.remarks.join()).toContain('process_stop asks about it');
    replies.push(
      ...[edits, plants].map((command) => ({
        toolCalls: [{ name: 'process_stop', args: { id: of(command)?.id ?? '' } }],
      })),
    );
    const session = of(edits)?.session ?? '';
    const { events } = await stage().cli([
      'run',
      '--json',
      '--approve',
      'deny',
      '--session',
      session,
      'stop',
    ]);
    const results = ofType(events, 'tool_output').map(({ text }) => text);
    expect(results.find((text) => text.includes(`${of(edits)?.id} is stopped`))).toContain(
      'somebody else changed edited meanwhile',
    );
    expect(results.find((text) => text.includes(`${of(plants)?.id} is stopped`))).toContain(
      'nothing it changed was kept',
    );
    expect([stage().read('edited'), stage().read('made')]).toEqual(['by another', 'its\n']);
    expect(existsSync(join(stage().folder, '.envrc'))).toBe(false);
    expect((await stage().cli(['processes', 'stop', of(builds)?.id ?? ''])).code).toBe(0);
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
      const [begun, answer] = ofType(events, 'tool_output').map(({ text }) => text);
      expect(begun).toMatch(/goes on as [^ ]+-left: process_stop ends it/);
      expect(answer).toContain('from the server');
      const command = (await listed(stage())).find(({ id }) => begun?.includes(id));
      const asked = () => stage().read('log').split('GET /page HTTP').length - 1;
      expect(asked()).toBe(1);
      expect((await stage().cli(['processes', 'stop', command?.id ?? ''])).code).toBe(0);
      // It belongs to what the command itself made, so it may go on with that.
      expect(asked()).toBe(2);
      expect(await listed(stage())).toEqual([]);
    },
  );

  it('is also one that reaches its time limit: the next command runs meanwhile, and one undo takes back all it wrote [B2] [U1]', async () => {
    const waits =
      'exec 9> early; echo early >&9; echo begun; until [ -e go ]; do sleep 0.1; done; cp go late; exit 4';
    await stage().model([
      { toolCalls: [{ name: 'bash', args: { command: waits, timeout_seconds: 1 } }] },
      { toolCalls: [{ name: 'bash', args: { command: 'ls; echo now > go' } }] },
      { text: 'done' },
    ]);
    const { code, events } = await stage().cli(['run', '--json', '--approve', 'deny', 'go']);
    expect(code).toBe(0);
    const [limit, next] = ofType(events, 'tool_output');
    expect(limit).toMatchObject({ isError: false, text: expect.stringMatching(/^begun\n/) });
    expect(limit?.text).toMatch(
      /time limit of 1 s is over: the command still runs and goes on as [^ ]+-left/,
    );
    expect(next?.text).not.toContain('early');
    let command: Listed | undefined;
    await until('it was kept', async () => {
      command = (await listed(stage())).find(({ command }) => command === waits);
      return command !== undefined && command.remarks.length > 0;
    });
    expect(command).toMatchObject({
      ended: 'exit code 4',
      remarks: ['files: 2 created', '+ early', '+ late'],
    });
    expect([stage().read('early'), stage().read('late')]).toEqual(['early\n', 'now\n']);
    const [kept] = JSON.parse((await stage().cli(['chronicle', 'list', '--json'])).stdout);
    expect(kept).toMatchObject({ about: waits });
    expect((await stage().cli(['chronicle', 'rollback', kept.id])).code).toBe(0);
    expect(['early', 'late', 'go'].map((name) => existsSync(join(stage().folder, name)))).toEqual([
      false,
      false,
      true,
    ]);
    expect((await stage().cli(['processes', 'stop', command?.id ?? ''])).code).toBe(0);
  });

  it('that reaches its time limit is half done when the engine stops: nothing of it is kept, and that is said [B2]', async () => {
    const half = 'echo half > half; trap "exit 3" TERM; echo begun; while :; do sleep 0.1; done';
    await stage().model([
      { toolCalls: [{ name: 'bash', args: { command: half, timeout_seconds: 1 } }] },
      { text: 'done' },
      { text: 'done' },
    ]);
    const { events } = await stage().cli(['run', '--json', '--approve', 'deny', 'go']);
    expect(ofType(events, 'tool_output')[0]?.text).toMatch(/^begun\n.*still runs and goes on as /);
    expect((await stage().cli(['stop'])).code).toBe(0);
    expect(existsSync(join(stage().folder, 'half'))).toBe(false);
    // Starts the next engine.
    expect((await stage().cli(['run', '--approve', 'deny', 'go'])).code).toBe(0);
    const [lost, ...more] = await listed(stage());
    expect([lost?.command, more]).toEqual([half, []]);
    expect(lost?.remarks.join()).toContain('what it changed in its folder is lost');
    expect((await stage().cli(['processes', 'stop', lost?.id ?? ''])).code).toBe(0);
  });

  it('is kept at quiet moments while it goes on, if that needs no question: the next command has it [B2] [U1]', async () => {
    const watch =
      'echo one > built; echo x > .envrc; until [ -e go ]; do sleep 0.1; done; rm .envrc; cp go built; sleep 1000';
    await stage().model([
      { toolCalls: [{ name: 'bash', args: { command: watch, background: true } }] },
      { text: 'done' },
      { toolCalls: [{ name: 'bash', args: { command: 'echo two > go' } }] },
      { text: 'done' },
    ]);
    const { events } = await stage().cli(['run', '--json', '--approve', 'deny', 'go']);
    const id = /in the background as ([^ .]+)/.exec(ofType(events, 'tool_output')[0]?.text ?? '')?.[1] ?? '';
    const output = async () => (await stage().cli(['processes', 'output', id])).stdout;
    await until('a file that asks waits', async () => (await output()).includes('waits for its end'));
    expect(await output()).toContain('what it has changed by now (2 created) waits for its end');
    expect(existsSync(join(stage().folder, 'built'))).toBe(false);
    expect((await stage().cli(['run', '--json', '--approve', 'deny', 'go'])).code).toBe(0);
    await until('it was kept', () => existsSync(join(stage().folder, 'built')));
    expect(stage().read('built')).toBe('two\n');
    expect((await listed(stage())).map(({ ended }) => ended)).toEqual([null]);
    let kept: { id: string; about: string } | undefined;
    await until('it is in the chronicle', async () => {
      const all: { id: string; about: string }[] = JSON.parse(
        (await stage().cli(['chronicle', 'list', '--json'])).stdout,
      );
      kept = all.find(({ about }) => about === watch);
      return kept !== undefined;
    });
    expect((await stage().cli(['chronicle', 'rollback', kept?.id ?? ''])).code).toBe(0);
    expect(existsSync(join(stage().folder, 'built'))).toBe(false);
    expect((await stage().cli(['processes', 'stop', id])).code).toBe(0);
  });

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
    // At a stop it is kept, if there is time for that.
    if (how === 'stop') return;
    expect(existsSync(join(stage().folder, 'served'))).toBe(false);
    const [lost, ...more] = await listed(stage());
    expect(more).toEqual([]);
    expect(lost).toMatchObject({
      ended: 'it ended with the engine',
      remarks: [expect.stringContaining('what it changed in its folder is lost')],
    });
    expect((await stage().cli(['status'])).stdout).toContain('1 background command ended with an earlier');
    expect((await stage().cli(['processes', 'stop', lost?.id ?? ''])).code).toBe(0);
    expect(await listed(stage())).toEqual([]);
  });
});
