import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { AgentBox, Box, ShellBox, WorkerBox } from '../box.ts';
import { boxedNodeArguments } from '../boxed-node-arguments.ts';
import { createSandbox } from '../create-sandbox.ts';
import { locateLauncher } from '../locate-launcher.ts';
import { nodeRuntimeFiles } from '../node-runtime-files.ts';
import type { Sandbox } from '../sandbox.ts';

export const packageRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** Number of the user and group that represent an ordinary user if the tests run as root. */
export const NOBODY = 65534;

export const limits: ShellBox['limits'] = { maxProcesses: 512, maxFileBytes: 1024 ** 3, maxOpenFiles: 256 };

/**
 * A temporary world: a working folder, an unreachable folder, a secret, and a launcher that every
 * user can start.
 */
export interface BoxFixture extends AsyncDisposable {
  readonly folder: string;
  readonly work: string;
  readonly outside: string;
  readonly secret: string;
  readonly launcherPath: string;
  readonly runtimeFiles: readonly string[];
  readonly sandbox: Sandbox;
  /** A shell box on `work`. */
  shellBox(changes?: Partial<ShellBox>): ShellBox;
  /** Writes a module to `work` and returns its path. */
  script(text: string): Promise<string>;
}

/**
 * @param nameSpaces whether agents and workers get name spaces, as they do if the kernel allows
 *   them
 */
export async function boxFixture(nameSpaces = true): Promise<BoxFixture> {
  const folder = await realpath(await mkdtemp(`${tmpdir()}/bulkhead-sandbox-`));
  const [work, outside, home] = [`${folder}/work`, `${folder}/outside`, `${folder}/home`];
  for (const path of [work, outside, home]) await mkdir(path);
  for (const path of [folder, work, outside, home]) await chmod(path, 0o777);
  const secret = `${outside}/secret`;
  await writeFile(secret, 'canary');
  await chmod(secret, 0o666);
  const launcherPath = `${folder}/launcher`;
  await copyFile(locateLauncher(packageRoot), launcherPath);
  await chmod(launcherPath, 0o755);
  const runtimeFiles = await nodeRuntimeFiles(process.execPath);
  let scripts = 0;
  return {
    folder,
    work,
    outside,
    secret,
    launcherPath,
    runtimeFiles,
    sandbox: createSandbox({
      launcherPath,
      nodePath: process.execPath,
      runtimeFiles,
      nameSpaces: { agent: nameSpaces, worker: nameSpaces },
      scratch: folder,
    }),
    shellBox: (changes) => ({
      kind: 'shell',
      workingFolder: work,
      home,
      readOnly: [],
      protect: [],
      hide: [],
      limits,
      ...changes,
    }),
    async script(text) {
      scripts += 1;
      const path = `${work}/script-${scripts}.mjs`;
      await writeFile(path, text);
      return path;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A process' exit and output. */
export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export async function finished(child: ChildProcess): Promise<Finished> {
  const said = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text;
  });
  await once(child, 'close');
  return { code: child.exitCode, signal: child.signalCode, ...said };
}

/** Runs a shell line in a box on the fixture's working folder. */
export function inShell(
  fixture: BoxFixture,
  line: string,
  changes?: Partial<ShellBox>,
  cwd = fixture.work,
): Promise<Finished> {
  const child = fixture.sandbox.launch(fixture.shellBox(changes), {
    file: '/bin/bash',
    args: ['-c', line],
    cwd,
    env: { PATH: '/usr/bin:/bin', HOME: `${fixture.folder}/home` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return finished(child);
}

/** Runs the same line without a box: the control. */
export function unboxedShell(fixture: BoxFixture, line: string): Promise<Finished> {
  return finished(
    spawn('/bin/bash', ['-c', line], {
      cwd: fixture.work,
      env: { PATH: '/usr/bin:/bin', HOME: `${fixture.folder}/home` },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
}

const IMPORTS = `
    import fs from 'node:fs'; import net from 'node:net'; import dgram from 'node:dgram';
    import child_process from 'node:child_process'; import { once } from 'node:events';`;

/**
 * As `attempt`, for several bodies one after the other in one process: each prints one line, in
 * order. A start of Node takes far longer than what most bodies do.
 */
export function attempts(bodies: readonly string[]): string {
  const list = bodies.map((body) => `async () => { ${body} }`).join(',\n');
  return `${IMPORTS}
    for (const attempt of [${list}]) {
      const line = await attempt().then(
        (value) => 'did ' + value,
        (error) => 'refused ' + (error.code ?? error.message),
      );
      console.log(line.replaceAll('\\n', ' '));
    }`;
}

/**
 * A module that tries `body` (statements that may await and return a value) with Node's modules
 * available and prints `did <value>` or `refused <code>`.
 */
export function attempt(body: string): string {
  return `${IMPORTS}
    const attempt = async () => { ${body} };
    attempt().then(
      (value) => console.log('did', String(value)),
      (error) => console.log('refused', error.code ?? error.message),
    );`;
}

/** The command line of a Node in a box, running `script`. */
export function nodeProgram(script: string): { file: string; args: string[] } {
  return { file: process.execPath, args: [...boxedNodeArguments, script] };
}

/** Repeats until `condition` holds, at most `milliseconds` long. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  milliseconds: number,
): Promise<boolean> {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    if (await condition()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return condition();
}

/** Runs `body` (see `attempt`) in Node in a box made by `box`. */
export async function inNodeBox(
  fixture: BoxFixture,
  box: (script: string) => Box,
  body: string,
  cwd = '/',
): Promise<Finished> {
  const script = await fixture.script(attempt(body));
  const program = { ...nodeProgram(script), cwd, env: {} };
  return finished(fixture.sandbox.launch(box(script), { ...program, stdio: ['ignore', 'pipe', 'pipe'] }));
}

/** An agent that may read its script only. */
export function agentBox(script: string): AgentBox {
  return { kind: 'agent', read: [script] };
}

/** A worker that may read its script, and has the rights in `changes`. */
export function workerBox(changes: Partial<WorkerBox> = {}): (script: string) => WorkerBox {
  return (script) => ({
    kind: 'worker',
    write: [],
    execute: [],
    ...changes,
    read: [script, ...(changes.read ?? [])],
  });
}
