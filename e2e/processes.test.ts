import { dirname } from 'node:path';
import type { SessionEvent } from '@bulkhead/protocol';
import { busyness } from '@bulkhead/testkit/processor-time';
import { describe, expect, it } from 'vitest';
import { grammarProblems } from './support/event-grammar.ts';
import { ofType, parseEventLine, settledOf } from './support/event-lines.ts';
import {
  boxedProcessOf,
  commandLineOf,
  descendantsOf,
  descriptorsOf,
  environmentOf,
  isAlive,
  type ProcessEntry,
  processEntry,
  processesOfHome,
  statusField,
  workingFolderOf,
} from './support/process-table.ts';
import { pidsOf, type RunningStatus } from './support/running-status.ts';
import type { Stage } from './support/stage.ts';
import { unjudgedCommands } from './support/unjudged-commands.ts';
import { until } from './support/until.ts';
import { useSharedStage, useStage } from './support/use-stage.ts';

const CANARY = 'canary-b4d1e7-secret';

/** Of the environment that the first engine is started with. */
const SECRETS = { ANTHROPIC_API_KEY: CANARY, E2E_CANARY: CANARY };

const WAITING = 'echo begun; until ls | grep -qx go; do sleep 0.02; done; echo finished';

/** A run that has read a file and waits in a command: every kind of process exists. */
async function busyRun(at: Stage) {
  at.write('a.txt', 'alpha\n');
  await at.model([
    { toolCalls: [{ name: 'read', args: { path: 'a.txt' } }] },
    { toolCalls: [{ name: 'bash', args: { command: WAITING } }] },
    { text: 'done' },
    { text: 'done' },
  ]);
  const run = at.start(['run', '--json', 'go'], { env: SECRETS });
  const { session } = await run.event('tool_delta', ({ text }) => text.includes('begun'));
  return { run, session, status: await at.status() };
}

function only(pids: readonly number[]): number {
  const [pid, ...more] = pids;
  if (pid === undefined || more.length > 0) throw new Error(`${pids.length} processes instead of one`);
  return pid;
}

/** All processes of an engine, with their starts. */
function processesOf(status: RunningStatus): readonly ProcessEntry[] {
  const supervisor = processEntry(status.supervisor);
  if (supervisor === undefined) throw new Error('the supervisor is gone');
  return [supervisor, ...descendantsOf(supervisor.pid)];
}

async function storedEvents(at: Stage, session: string): Promise<readonly SessionEvent[]> {
  const { stdout } = await at.cli(['sessions', 'show', session, '--json']);
  return stdout.trimEnd().split('\n').map(parseEventLine);
}

const gone = (processes: readonly ProcessEntry[], withinMs: number) =>
  until('every process has ended', () => !processes.some(isAlive), withinMs * busyness());

describe('the processes of a run', () => {
  const stage = useSharedStage();

  it('are supervisor, engine, agent, worker and the command, each below its own [P1]', async () => {
    const { run, session, status } = await busyRun(stage());
    const agent = only(pidsOf(status, 'agent', session));
    const worker = only(pidsOf(status, 'worker', session));
    expect(processEntry(status.engine)?.parent).toBe(status.supervisor);
    expect(processEntry(agent)?.parent).toBe(status.engine);
    expect(processEntry(worker)?.parent).toBe(status.engine);
    const known = new Set(status.processes.map(({ pid }) => pid));
    const others = descendantsOf(status.engine).filter(({ pid }) => !known.has(pid));
    const commands = others.map(({ pid }) => commandLineOf(pid).join(' '));
    expect(commands).toContainEqual(expect.stringContaining('until ls | grep -qx go'));
    stage().write('go', '');
    expect((await run.done()).code).toBe(0);
  });

  it('leave the agent nothing but its channel, and the worker what it was granted [P2, P3, D5]', async () => {
    const { run, session, status } = await busyRun(stage());
    const granted = { agent: [], worker: [stage().folder, `${stage().layout.outputs}/${session}`] };
    for (const [kind, folders] of Object.entries(granted)) {
      const pid = boxedProcessOf(only(pidsOf(status, kind, session)));
      const descriptors = descriptorsOf(pid);
      expect(environmentOf(pid)).toEqual([]);
      expect(descriptors.get(0)).toBe('/dev/null');
      expect(descriptors.get(1)).toBe('/dev/null');
      expect(descriptors.get(2)).toMatch(/^(pipe|socket):/);
      expect(descriptors.get(3)).toMatch(/^socket:/);
      // Descriptors that Node itself opens to wait for events reach nothing outside.
      const others = [...descriptors].filter(([fd]) => fd > 3).map(([, target]) => target);
      expect(others.filter((target) => !/^(anon_inode:|pipe:|\/dev\/null$)/.test(target))).toEqual(folders);
      expect(statusField(pid, 'NoNewPrivs')).toBe('1');
      expect(statusField(pid, 'Seccomp')).toBe('2');
      expect(workingFolderOf(pid)).toBe(
        dirname(commandLineOf(pid).find((word) => word.endsWith('.mjs')) ?? ''),
      );
    }
    stage().write('go', '');
    expect((await run.done()).code).toBe(0);
  });

  it('are reported with the walls around them, each of which was tried [D5]', async () => {
    const { run } = await busyRun(stage());
    const { stdout } = await stage().cli(['status', '--json']);
    const { boxes }: { boxes: { kind: string; holds: boolean; walls: string[]; detail: string }[] } =
      JSON.parse(stdout);
    expect(boxes.map(({ kind, holds }) => [kind, holds])).toEqual([
      ['agent', true],
      ['worker', true],
      ['shell', true],
    ]);
    for (const { walls } of boxes.slice(0, 2))
      expect(walls).toEqual(expect.arrayContaining(['landlock', 'seccomp']));
    stage().write('go', '');
    expect((await run.done()).code).toBe(0);
  });

  it('tell the agent, the worker and the command no secret of the engine [P6] [FR1]', async () => {
    const { run, session, status } = await busyRun(stage());
    expect(environmentOf(status.engine).filter((word) => word.includes(CANARY))).toHaveLength(2);
    const boxed = descendantsOf(status.engine).map(({ pid }) => pid);
    expect(boxed).toContain(only(pidsOf(status, 'agent', session)));
    for (const pid of boxed) {
      const told = [...environmentOf(pid), ...commandLineOf(pid)];
      expect(told.filter((word) => word.includes(CANARY))).toEqual([]);
    }
    stage().write('go', '');
    expect((await run.done()).code).toBe(0);
  });
});

describe('the end of an engine', () => {
  const stage = useStage();

  it('by `stop` takes every process with it, also in the middle of a run [P8]', async () => {
    const { run, status } = await busyRun(stage());
    const processes = processesOf(status);
    expect(processes.length).toBeGreaterThanOrEqual(6);
    const began = performance.now();
    const stopped = await stage().cli(['stop']);
    expect([stopped.code, stopped.stdout.split('\n')[0]]).toEqual([0, 'stopped']);
    await gone(processes, 100);
    process.stdout.write(`stopped in ${Math.round(performance.now() - began)} ms\n`);
    // Its message continues at the next start: no one has cancelled it.
    const { code, events } = await run.done();
    expect(code).toBe(1);
    expect(ofType(events, 'settled')).toEqual([]);
    expect(await stage().cli(['status'])).toMatchObject({ code: 1 });
  });

  it('by kill -9 brings another one: the message goes on, the one that waited is run after it [P8, T2, T8]', async () => {
    const { run, session, status } = await busyRun(stage());
    const below = descendantsOf(status.engine);
    {
      using client = await stage().client();
      await client.call('sendMessage', { sessionId: session, messageId: 'waiting', content: 'and now?' });
    }
    process.kill(status.engine, 'SIGKILL');
    // Nothing of the command was kept when its engine was killed: it is run again, from a folder as it was.
    await run.event('run_resumed');
    stage().write('go', '');
    const { code, events } = await run.done();
    expect(code).toBe(0);
    expect(settledOf(events)).toMatchObject({ outcome: 'completed', answer: 'done' });
    expect(ofType(events, 'run_resumed')).toMatchObject([{ executed: 0, notExecuted: 1, unknown: 0 }]);
    expect(ofType(events, 'action_started').filter(({ tool }) => tool === 'bash')).toHaveLength(2);
    const next = await until('the message that waited is settled', async () =>
      ofType(await storedEvents(stage(), session), 'settled').find(({ message }) => message === 'waiting'),
    );
    expect(next).toMatchObject({ outcome: 'completed', answer: 'done' });
    const after = await stage().status();
    expect(after.supervisor).toBe(status.supervisor);
    expect(after.engine).not.toBe(status.engine);
    await gone(below, 2_000);
    expect(grammarProblems(await storedEvents(stage(), session), { replayed: true })).toEqual([]);
  });

  it('by kill -9 leaves nothing of a command within a second, whatever it forked and detached [P8] [FT07]', async () => {
    const daemon = `setsid sh -c 'trap "" HUP TERM INT; (sleep 777 &) & (setsid sleep 778 &) & sleep 779' </dev/null >/dev/null 2>&1 &`;
    const command = `(${daemon}); until pgrep -c 'sleep' | grep -qx 3; do sleep 0.02; done; echo begun; sleep 780`;
    await stage().model([{ toolCalls: [{ name: 'bash', args: { command } }] }, { text: 'done' }], {
      config: unjudgedCommands(stage()),
    });
    const run = stage().start(['run', '--json', 'go']);
    await run.event('tool_delta', ({ text }) => text.includes('begun'));
    const { engine } = await stage().status();
    const below = descendantsOf(engine);
    const sleeping = below.filter(({ pid }) => /^sleep 77[789]\s*$/.test(commandLineOf(pid).join(' ')));
    expect(sleeping).toHaveLength(3);
    process.kill(engine, 'SIGKILL');
    await gone(below, 1_000);
    await stage().cli(['stop']);
    await run.done();
  });

  it('comes with the end of its supervisor, however that ended [P8]', async () => {
    const { status } = await busyRun(stage());
    const processes = processesOf(status);
    process.kill(status.supervisor, 'SIGKILL');
    await gone(processes, 5_000);
    expect((await stage().cli(['run', 'say hi', '--model', 'offline/rules'])).code).toBe(0);
  });

  it('for a restart keeps the supervisor [P8]', async () => {
    await stage().cli(['run', 'say hi']);
    const before = await stage().status();
    const old = descendantsOf(before.supervisor);
    expect(await stage().cli(['restart'])).toMatchObject({ code: 0 });
    const after = await stage().status();
    expect(after.supervisor).toBe(before.supervisor);
    expect(after.engine).not.toBe(before.engine);
    await gone(old, 2_000);
  });

  it('a private engine ends with its call [P8, I1]', async () => {
    expect((await stage().cli(['run', '--isolated', 'say hi'])).code).toBe(0);
    expect((await stage().cli(['status'])).code).toBe(1);
    expect(processesOfHome(stage().layout.root)).toEqual([]);
  });
});

describe('two at once', () => {
  const stage = useStage();

  it('a session in a slow command does not hold up another one [P9]', async () => {
    await stage().model(({ bodyText }) => {
      if (bodyText.includes('"role":"tool"')) return { text: 'slow one done' };
      return bodyText.includes('slow')
        ? { toolCalls: [{ name: 'bash', args: { command: WAITING } }] }
        : { text: 'quick one done' };
    });
    const slow = stage().start(['run', '--json', 'slow']);
    await slow.event('tool_delta', ({ text }) => text.includes('begun'));
    expect(await stage().cli(['run', 'quick'])).toMatchObject({ code: 0, stdout: 'quick one done\n' });
    expect(slow.events().at(-1)?.type).toBe('tool_delta');
    stage().write('go', '');
    const { code, events } = await slow.done();
    expect(code).toBe(0);
    expect(events.at(-2)).toMatchObject({ type: 'settled', answer: 'slow one done' });
  });

  it('on a fresh home start one engine and both get their answer [P8]', async () => {
    const both = await Promise.all([stage().cli(['run', 'say hi']), stage().cli(['run', 'say hi'])]);
    for (const { code, stderr } of both) expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { supervisor } = await stage().status();
    expect(processEntry(supervisor)).toBeDefined();
    const sessions = await stage().cli(['sessions', 'list', '--json']);
    expect(JSON.parse(sessions.stdout)).toHaveLength(2);
  });
});
