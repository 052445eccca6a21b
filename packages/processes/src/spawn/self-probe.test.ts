import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { create } from '@bufbuild/protobuf';
import { InitialToolDefsSchema } from '@bulkhead/protocol/agent';
import {
  AGENT_BOX_LIMITS,
  type Box,
  createSandbox,
  locateLauncher,
  nodeRuntimeFiles,
  type Sandbox,
  WORKER_BOX_LIMITS,
} from '@bulkhead/sandbox';
import { canaryOf, socketOf } from '@bulkhead/wire/self-probe';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ripgrepPath } from '../boxes/ripgrep-path.ts';
import { spawnWorker } from '../boxes/spawn-worker.ts';
import { ProbeGround } from './probe-ground.ts';
import { tryWithoutBox } from './self-probe.ts';
import { spawnAgent } from './spawn-agent.ts';

const BUNDLES = { agent: '../../../agent/src/main.ts', worker: '../../../tools/src/worker/main.ts' };
const LAUNCHER = locateLauncher(fileURLToPath(new URL('../../../sandbox', import.meta.url)));
const nodePath = process.execPath;

let folder: string;
let runtimeFiles: readonly string[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-self-probe-'));
  mkdirSync(join(folder, 'work'));
  runtimeFiles = await nodeRuntimeFiles(nodePath);
  const files = Object.entries(BUNDLES).map(([out, path]) => ({
    out,
    in: fileURLToPath(new URL(path, import.meta.url)),
  }));
  await build({
    entryPoints: files,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    logLevel: 'error',
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let ground: ProbeGround;
let children: ChildProcess[] = [];
beforeEach(async () => {
  ground = await ProbeGround.open(join(folder, 'ground'), LAUNCHER);
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
  await ground[Symbol.asyncDispose]();
});

type Launching = Pick<Sandbox, 'launch'>;

function boxed(nameSpaces: boolean, widen: (box: Box) => Box = (box) => box): Launching {
  const sandbox = createSandbox({
    launcherPath: LAUNCHER,
    nodePath,
    runtimeFiles,
    nameSpaces: { agent: nameSpaces, worker: nameSpaces },
    scratch: folder,
  });
  return { launch: (box, program) => keep(sandbox.launch(widen(box), program)) };
}

const unboxed: Launching = {
  launch: (_, { file, args, cwd, stdio }) => keep(spawn(file, args.slice(2), { cwd, env: {}, stdio })),
};

function keep(child: ChildProcess): ChildProcess {
  children.push(child);
  return child;
}

const log = (): void => undefined;

async function startAgent(sandbox: Launching, nameSpaces: boolean, thorough = true): Promise<void> {
  const parts = { sandbox, nodePath, script: join(folder, 'agent.mjs'), log };
  const agent = await spawnAgent({
    ...parts,
    initialTools: create(InitialToolDefsSchema),
    selfProbe: { ground, nameSpaces, thorough },
    limits: AGENT_BOX_LIMITS,
  });
  agent.kill();
}

async function startWorker(sandbox: Launching, nameSpaces: boolean, thorough = true): Promise<void> {
  const parts = { sandbox, nodePath, script: join(folder, 'worker.mjs'), log, ripgrepPath: ripgrepPath() };
  const { connection } = await spawnWorker(
    {
      ...parts,
      home: '/nowhere',
      outputsOf: () => join(folder, 'outputs'),
      protectedFiles: { answerer: () => async (objects) => objects.map(() => false), shownIn: () => [] },
      selfProbe: { ground, nameSpaces, thorough },
      limits: WORKER_BOX_LIMITS,
    },
    { sessionId: 's', workingFolder: join(folder, 'work') },
  );
  await connection.close();
}

const KINDS = [
  ['agent', startAgent],
  ['worker', startWorker],
] as const;

describe.each(KINDS)('an %s that attacks its own box first', (kind, start) => {
  it.each([
    ['Landlock and the filter alone', false],
    ['name spaces as well', true],
  ])('is admitted behind %s, and nothing arrived outside [FR2] [FG1]', async (_, nameSpaces) => {
    await start(boxed(nameSpaces), nameSpaces);
    await start(boxed(nameSpaces), nameSpaces, false);
    expect(() => ground.check(kind)).not.toThrow();
  });

  it('is refused and ended without a box, with all that got through by name [FR2]', async () => {
    const refusal = await start(unboxed, false).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: 'sandbox_unavailable',
      message: expect.stringMatching(
        new RegExp(`^the box of the ${kind} leaks: .*write-file: did,.*read-environment: did`),
      ),
      fix: expect.stringContaining('doctor'),
    });
    const [child] = children;
    if (child?.exitCode === null && child.signalCode === null) await once(child, 'exit');
    expect(child?.signalCode ?? child?.exitCode).not.toBeUndefined();
    expect(() => ground.check(kind)).toThrow(/leaks: \d connections or datagrams arrived/);
  });

  it('is refused for one grant that is too wide [FR2]', async () => {
    const wide = (box: Box): Box =>
      box.kind === 'shell' ? box : { ...box, read: [...box.read, canaryOf(ground.aims(true))] };
    for (const nameSpaces of [false, true]) {
      await expect(start(boxed(nameSpaces, wide), nameSpaces)).rejects.toMatchObject({
        code: 'sandbox_unavailable',
        message: `the box of the ${kind} leaks: from inside it, read-file: did`,
      });
    }
  });

  it('proves something: out of the same bundle, with no box, every attempt succeeds', async () => {
    await tryWithoutBox(kind, { ground, nodePath, script: join(folder, `${kind}.mjs`) });
    await ground.control(1);
    ground.check(kind);
  });
});

describe('a worker', () => {
  it('opens nothing that a mount made after its start shows, nor one that was there before [FT13]', async () => {
    const work = join(folder, 'work');
    const [early, late] = [join(work, 'early'), join(work, 'late')];
    for (const path of [early, late]) writeFileSync(path, 'a secret');
    let mounts = [early];
    const { connection } = await spawnWorker(
      {
        sandbox: boxed(true),
        nodePath,
        script: join(folder, 'worker.mjs'),
        log,
        ripgrepPath: ripgrepPath(),
        home: '/nowhere',
        outputsOf: () => join(folder, 'outputs'),
        protectedFiles: {
          answerer: () => async (objects) => objects.map(() => false),
          shownIn: () => mounts,
        },
        selfProbe: { ground, nameSpaces: true, thorough: false },
        limits: WORKER_BOX_LIMITS,
      },
      { sessionId: 's', workingFolder: work },
    );
    const read = async (path: string) =>
      await connection.run(
        {
          actionId: `read-${path}`,
          tool: 'read',
          canonicalArguments: JSON.stringify({ path }),
        },
        () => {},
        new AbortController().signal,
      );
    expect(await read(late)).toMatchObject({ isError: false, text: expect.stringContaining('a secret') });
    mounts = [late];
    for (const path of [early, late]) {
      const { isError, text } = await read(path);
      expect(isError, path).toBe(true);
      expect(text).not.toContain('a secret');
    }
    await connection.close();
  });
});

describe('an agent that shows the token of another', () => {
  it('is refused and ended, whichever came first, and receives nothing [FT95]', async () => {
    const tokens: string[] = [];
    const stolen: Launching = {
      launch: (box, program) => {
        const at = program.args.indexOf('--token') + 1;
        tokens.push(program.args[at] ?? '');
        return boxed(true).launch(box, { ...program, args: program.args.with(at, tokens[0] ?? '') });
      },
    };
    await startAgent(stolen, true);
    await expect(startAgent(stolen, true)).rejects.toMatchObject({
      code: 'agent_failed',
      message: expect.stringContaining('the agent has the token of another'),
    });
    expect(new Set(tokens).size).toBe(2);
    const impostor = children.at(-1);
    if (impostor?.exitCode === null && impostor.signalCode === null) await once(impostor, 'exit');
    // Killed, or ended on the loss of its connection: whichever came first.
    expect(impostor?.signalCode ?? impostor?.exitCode).not.toBe(0);
    expect(impostor?.signalCode ?? impostor?.exitCode).not.toBeNull();
  });
});

describe('a bundle that makes no attempts', () => {
  it('is noticed before anything starts', async () => {
    const script = join(folder, 'idle.mjs');
    writeFileSync(script, 'console.log("all is well")');
    await expect(tryWithoutBox('agent', { ground, nodePath, script })).rejects.toMatchObject({
      code: 'sandbox_unavailable',
      message: expect.stringContaining('write-file: not tried'),
    });
  });
});

describe('a check from outside', () => {
  it('notices a connection, whatever the process says of itself', async () => {
    expect(() => ground.check('agent')).not.toThrow();
    const aims = ground.aims(false);
    const socket = connect(socketOf(aims)).end(aims.nonce).resume();
    await once(socket, 'close');
    expect(() => ground.check('agent')).toThrow('1 connections or datagrams arrived');
  });

  it('notices a changed canary, a missing one, and a file that somebody left', async () => {
    const aims = ground.aims(false);
    writeFileSync(join(aims.folder, 'made-1'), '');
    expect(() => ground.check('agent')).toThrow('holds canary made-1 program socket');
    rmSync(join(aims.folder, 'made-1'));
    expect(() => ground.check('agent')).not.toThrow();
    writeFileSync(canaryOf(aims), 'changed');
    expect(() => ground.check('agent')).toThrow('the canary was changed');
    rmSync(canaryOf(aims));
    expect(() => ground.check('agent')).toThrow('the canary is gone');
  });

  it('is not deaf: less than what controls sent is an error', async () => {
    await expect(ground.control(1)).rejects.toMatchObject({
      code: 'sandbox_unavailable',
      message: expect.stringContaining('0 of 4'),
    });
  });
});
