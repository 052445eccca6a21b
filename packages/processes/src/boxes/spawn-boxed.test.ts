import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { PROTOCOL_VERSION } from '@bulkhead/protocol';
import { InitialToolDefsSchema } from '@bulkhead/protocol/agent';
import { AGENT_BOX_LIMITS, type Sandbox } from '@bulkhead/sandbox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProbeGround } from '../spawn/probe-ground.ts';
import { spawnAgent } from '../spawn/spawn-agent.ts';
import { spawnWorker } from './spawn-worker.ts';

/** A process of another version: checks its command line, reports the result and ends. */
const STRANGER = `
  const told = process.argv[process.argv.indexOf('--protocol') + 1];
  process.stderr.write('it speaks version 99, the engine ' + told + '\\n', () => process.exit(70));`;

let folder: string;
let script: string;
let ground: ProbeGround;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-spawn-'));
  ground = await ProbeGround.open(join(folder, 'ground'), process.execPath);
  script = join(folder, 'stranger.cjs');
  writeFileSync(script, STRANGER);
});
afterEach(async () => {
  await ground[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const children: ChildProcess[] = [];
/** Without a box: the test is about the engine's message for a process that refuses it. */
const unboxed: Pick<Sandbox, 'launch'> = {
  launch: (_box, { args, cwd, stdio }) => {
    const child = spawn(process.execPath, args.slice(args.indexOf(script)), { cwd, env: {}, stdio });
    children.push(child);
    return child;
  },
};

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

const said = `it speaks version 99, the engine ${PROTOCOL_VERSION}`;

describe('a boxed process that refuses the engine', () => {
  it('receives the required version, and its reason is reported: agent [FT100]', async () => {
    const initialTools = create(InitialToolDefsSchema);
    const parts = {
      sandbox: unboxed,
      nodePath: process.execPath,
      script,
      initialTools,
      selfProbe: { ground, nameSpaces: true, thorough: false },
      limits: AGENT_BOX_LIMITS,
      log: () => undefined,
    };
    await expect(spawnAgent(parts)).rejects.toMatchObject({
      code: 'agent_failed',
      message: `an agent did not start: the agent ended before it was ready (${said})`,
    });
  });

  it('receives the required version, and its reason is reported: worker [FT100]', async () => {
    const lines: string[] = [];
    const parts = {
      sandbox: unboxed,
      nodePath: process.execPath,
      script,
      ripgrepPath: '/rg',
      selfProbe: { ground, nameSpaces: true, thorough: false },
      limits: AGENT_BOX_LIMITS,
      home: folder,
      protectedFiles: {
        answerer: () => async (objects: readonly unknown[]) => objects.map(() => false),
        shownIn: () => [],
      },
      outputsOf: () => join(folder, 'outputs'),
      log: (_pid: number, line: string) => lines.push(line),
    };
    await expect(spawnWorker(parts, { sessionId: 's', workingFolder: '/w' })).rejects.toMatchObject({
      code: 'worker_failed',
      message: `a worker did not start: the worker ended before it was ready (${said})`,
    });
    expect(lines).toEqual([said]);
  });
});
