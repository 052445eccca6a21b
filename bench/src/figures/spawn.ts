import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type Box, createSandbox, locateLauncher, type Sandbox, type ShellBox } from '@bulkhead/sandbox';
import type { Figure, Row } from '../figure.ts';
import { summarise } from '../statistics.ts';

const ROUNDS = 200;
const LIMIT_MS = 1;
/**
 * The difference in a first trial of the idea, 4.0 ms against 1.2 (the notes on shell
 * transactions).
 */
const OVERLAY_LIMIT_MS = 2.8;
/** Of 4 KiB each: what a copy costs depends on what it copies. */
const FILES = 1_000;
const SANDBOX = fileURLToPath(new URL('../../../packages/sandbox', import.meta.url));

interface Kind {
  readonly what: string;
  readonly box: Box;
  readonly sandbox: Sandbox;
  readonly transaction?: Transaction;
  /** Milliseconds over a plain spawn; null: none was set. */
  readonly limit?: number | null;
}

/**
 * The cost of a box beside a plain spawn: the same small static program, from the call to its end.
 */
export const spawnCost: Figure = {
  name: 'spawn',
  async measure() {
    const folder = await mkdtemp(`${tmpdir()}/bulkhead-bench-spawn-`);
    try {
      for (const name of ['work', 'home', 'files']) await mkdir(`${folder}/${name}`);
      for (let file = 0; file < FILES; file += 1)
        await writeFile(`${folder}/files/${file}`, Buffer.alloc(4_096, 'x'));
      const program = locateLauncher(SANDBOX);
      const kinds = kindsIn(folder, program);
      const plain: number[] = [];
      const boxed = new Map<string, number[]>(kinds.map(({ what }) => [what, []]));
      for (let round = 0; round < ROUNDS; round += 1) {
        plain.push(await plainMs(program));
        for (const kind of kinds) boxed.get(kind.what)?.push(await boxedMs(kind, program, folder));
      }
      return kinds.map(({ what, limit = LIMIT_MS }) => rowOf(what, boxed.get(what) ?? [], plain, limit));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

function kindsIn(folder: string, launcherPath: string): Kind[] {
  const sandbox = (nameSpaces: boolean): Sandbox =>
    createSandbox({
      launcherPath,
      nodePath: process.execPath,
      runtimeFiles: [],
      nameSpaces: { agent: nameSpaces, worker: nameSpaces },
      scratch: folder,
    });
  const agent: Box = { kind: 'agent', read: [] };
  const worker: Box = { kind: 'worker', read: [], write: [`${folder}/work`], execute: [] };
  const shell: Box = {
    kind: 'shell',
    workingFolder: `${folder}/work`,
    home: `${folder}/home`,
    readOnly: [launcherPath],
    protect: [],
    hide: [],
    limits: { maxProcesses: 512, maxFileBytes: 1024 ** 3, maxOpenFiles: 256 },
  };
  const files: ShellBox = { ...shell, workingFolder: `${folder}/files` };
  const [first, both] = [sandbox(false), sandbox(true)];
  const on = (view: 'overlay' | 'copy', verdict: 'commit' | 'drop') => ({
    sandbox: both,
    transaction: { view, verdict },
    limit: view === 'overlay' ? OVERLAY_LIMIT_MS : null,
  });
  return [
    { what: 'agent box without name spaces', box: agent, sandbox: first },
    { what: 'agent box', box: agent, sandbox: both },
    { what: 'worker box without name spaces', box: worker, sandbox: first },
    { what: 'worker box', box: worker, sandbox: both },
    { what: 'shell box', box: shell, sandbox: both },
    { what: 'shell box on an overlay, kept', box: shell, ...on('overlay', 'commit') },
    { what: 'shell box on an overlay, dropped', box: shell, ...on('overlay', 'drop') },
    { what: 'shell box on a copy, kept', box: shell, ...on('copy', 'commit') },
    { what: 'shell box on a copy, dropped', box: shell, ...on('copy', 'drop') },
    { what: `shell box on an overlay of ${FILES} files, kept`, box: files, ...on('overlay', 'commit') },
    { what: `shell box on a copy of ${FILES} files, kept`, box: files, ...on('copy', 'commit') },
  ];
}

async function plainMs(program: string): Promise<number> {
  const begin = performance.now();
  await once(spawn(program, ['version'], { env: {}, stdio: 'ignore' }), 'exit');
  return performance.now() - begin;
}

async function boxedMs(kind: Kind, file: string, folder: string): Promise<number> {
  const { box, sandbox, transaction } = kind;
  if (box.kind === 'shell' && transaction !== undefined)
    return await transactionMs(transaction, box, sandbox, { program: file, scratchFolder: folder });
  const begin = performance.now();
  const child = sandbox.launch(box, {
    file,
    args: ['version'],
    cwd: `${folder}/work`,
    env: {},
    stdio: 'ignore',
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`a ${box.kind} box ended with ${code}`);
  return performance.now() - begin;
}

function rowOf(what: string, boxed: readonly number[], plain: readonly number[], limit: number | null): Row {
  const extra = summarise(boxed.map((ms, index) => ms - (plain[index] ?? 0)));
  const [inBox, outside] = [summarise(boxed), summarise(plain)];
  const text = (value: number): string => `${value.toFixed(2)} ms`;
  return {
    what: `a small program from start to end in the ${what}, beside a plain spawn`,
    product: `${text(inBox.median)}, p95 ${text(inBox.p95)}`,
    bare: `${text(outside.median)}, p95 ${text(outside.p95)}`,
    ratio: `+${text(extra.median)}`,
    ...(limit === null ? {} : { target: { text: `≤ ${limit} ms more`, limit, value: extra.median } }),
  };
}

/** A command whose changes are held back, and what becomes of them. */
interface Transaction {
  readonly view: 'overlay' | 'copy';
  readonly verdict: 'commit' | 'drop';
}

/** The launcher's last message. */
const ANSWERS = { commit: 'committed\0', drop: 'dropped\0' } as const;

/**
 * From the call until the launcher says that the command's changes, none here, are in place or gone.
 *
 * @param program that changes nothing, with `version` as its argument
 * @param scratchFolder where each command gets a folder of its own
 * @returns milliseconds
 */
async function transactionMs(
  { view, verdict }: Transaction,
  box: ShellBox,
  sandbox: Sandbox,
  { program, scratchFolder }: { readonly program: string; readonly scratchFolder: string },
): Promise<number> {
  const overlay = await mkdtemp(`${scratchFolder}/scratch-`);
  const begin = performance.now();
  const child = sandbox.launch(
    { ...box, overlay, copy: view === 'copy' },
    {
      file: program,
      args: ['version'],
      cwd: box.workingFolder,
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  );
  const control = child.stdio[3];
  if (!(control instanceof Duplex)) throw new Error('a boxed command has no control channel');
  let said = '';
  let ended = 0;
  for await (const bytes of control) {
    said += String(bytes);
    if (said.endsWith('effects 0\0')) control.write(`${verdict}\n`);
    if (said.endsWith(ANSWERS[verdict])) ended = performance.now() - begin;
  }
  if (ended === 0) throw new Error(`a command on ${view} had no end by ${verdict}: ${said}`);
  return ended;
}
