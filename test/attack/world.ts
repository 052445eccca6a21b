import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { elfInterpreterOf } from '@bulkhead/sandbox/testing';
import { knownPaths } from './known-paths.ts';
import { type Listeners, listen } from './listeners.ts';
import { nativeDeeds } from './native-attempts.ts';

/** The targets: files, sockets and processes with a canary in each, all outside of every box. */
export interface World extends AsyncDisposable {
  readonly canary: string;
  readonly folder: string;
  /** The box's own folder. */
  readonly work: string;
  readonly outside: string;
  readonly secret: string;
  readonly home: string;
  readonly protected: string;
  readonly hidden: string;
  readonly denied: string;
  /** Another denied file, in folders that can be renamed. */
  readonly nested: string;
  /** A folder beside the box's own that it may read, but for what is hidden in it. */
  readonly beside: string;
  /** Copies of the hostile program: one named by a box, one not. Absent without a compiler. */
  readonly attack: string;
  readonly foreign: string;
  readonly listeners: Listeners;
  /** KEY=VALUE for the native program. */
  targets(): string[];
  /** Restores everything that an attempt may have changed. */
  plant(): Promise<void>;
  /** A digest of every byte, mode, time and link outside. */
  snapshot(): Promise<string>;
  /** Names another box's process as the target of the next attempts. */
  aimAt(other: number): void;
}

const MAX_PROCESSES = 64;
export const worldMaxProcesses = MAX_PROCESSES;

export async function createWorld(
  canary: string,
  compileTo: (path: string) => Promise<boolean>,
): Promise<World> {
  const folder = await realpath(await mkdtemp(`${tmpdir()}/bulkhead-attack-`));
  const [work, outside, home, other, beside] = ['work', 'outside', 'home', 'other', 'beside'].map(
    (name) => `${folder}/${name}`,
  ) as [string, string, string, string, string];
  for (const path of [work, outside, home, other, beside, `${folder}/bin`]) await mkdir(path);
  for (const path of [folder, work, outside, home, other, beside]) await chmod(path, 0o777);
  const attack = `${folder}/bin/attack`;
  const hasNative = await compileTo(attack);
  const abstract = `bulkhead-attack-${randomUUID()}`;
  const listeners = await listen(canary, { outside: `${outside}/socket`, work: `${work}/socket`, abstract });
  const world: Omit<World, keyof AsyncDisposable | 'targets' | 'aimAt'> = {
    canary,
    folder,
    work,
    outside,
    secret: `${outside}/secret`,
    home,
    protected: `${work}/protected`,
    hidden: `${work}/hidden/secret`,
    denied: `${work}/denied`,
    nested: `${work}/nest/in/secret`,
    beside,
    attack,
    foreign: `${outside}/program`,
    listeners,
    plant: () =>
      plant({ canary, work, outside, home, other, beside, attack: hasNative ? attack : undefined }),
    snapshot: async () => `${await snapshot(outside)} ${await snapshot(beside)}`,
  };
  await world.plant();
  let victim = process.pid;
  const loader = (await elfInterpreterOf(process.execPath)) ?? '/bin/false';
  const segment = 1 + Math.floor(Math.random() * 0x3fff_ffff);
  const queue = abstract;
  const targets = (): string[] => {
    const { ports } = listeners;
    const known = knownPaths([homedir()], [process.pid, process.ppid, victim]);
    return Object.entries({
      secret: world.secret,
      closed: outside,
      link: `${outside}/link`,
      work,
      hidden: world.hidden,
      denied: world.denied,
      beside,
      protected: world.protected,
      home,
      'other-file': `${other}/secret`,
      socket: `${outside}/socket`,
      datagram: `${outside}/datagram`,
      'work-socket': `${work}/socket`,
      abstract,
      program: world.foreign,
      self: attack,
      loader,
      script: `${work}/script`,
      queue,
      ...ports,
      parent: process.pid,
      other: victim,
      'segment-key': segment,
      'max-processes': MAX_PROCESSES,
    })
      .map(([key, value]) => `${key}=${value}`)
      .concat(known.map((path) => `known=${path}`));
  };
  const holder = hasNative ? await startHolder(attack, canary, targets(), listeners) : undefined;
  return {
    ...world,
    targets,
    aimAt(other) {
      victim = other;
    },
    [Symbol.asyncDispose]: async () => {
      holder?.stdin?.end();
      if (holder !== undefined && holder.exitCode === null) await once(holder, 'exit');
      await listeners[Symbol.asyncDispose]();
      // A killed launcher leaves its overlay's folder, which even its owner can't open.
      spawnSync('chmod', ['-R', 'u+rwX', folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Places {
  readonly canary: string;
  readonly work: string;
  readonly outside: string;
  readonly home: string;
  readonly other: string;
  readonly beside: string;
  readonly attack: string | undefined;
}

async function plant({ canary, work, outside, home, other, beside, attack }: Places): Promise<void> {
  const folders = ['hidden', 'protected', 'nest/in'].map((name) => `${work}/${name}`);
  for (const folder of [...folders, `${outside}/v-remove-folder`, `${beside}/deep`]) {
    await mkdir(folder, { recursive: true });
  }
  const canaries = [
    `${outside}/secret`,
    `${work}/hidden/secret`,
    `${work}/denied`,
    `${home}/secret`,
    `${other}/secret`,
    `${work}/nest/in/secret`,
    `${beside}/.env`,
    `${beside}/deep/key.pem`,
  ];
  for (const path of canaries) {
    await writeFile(path, canary);
    await chmod(path, 0o666);
  }
  for (const { name } of nativeDeeds)
    await writeFile(`${outside}/v-${name}`, 'victim').catch(() => undefined);
  for (const name of ['mode', 'owner', 'times', 'attributes']) {
    await rm(`${outside}/v-${name}`, { force: true });
    await writeFile(`${outside}/v-${name}`, 'victim');
  }
  await rm(`${outside}/link`, { force: true });
  await symlink(`/nowhere/${canary}`, `${outside}/link`);
  // A control made it: to remove it later would count as a change of the file that it is a name of.
  await rm(`${work}/m-own`, { force: true });
  await rm(`${beside}/link`, { force: true });
  await symlink(`${outside}/secret`, `${beside}/link`);
  await writeFile(`${beside}/text`, 'text');
  await writeFile(`${work}/own`, 'own');
  await rm(`${work}/script`, { force: true });
  await writeFile(`${work}/script`, '#!/bin/sh\necho start-script 0\n', { mode: 0o755 });
  await copyFile('/bin/echo', `${work}/echo`);
  if (attack !== undefined) await copyFile(attack, `${outside}/program`);
}

async function snapshot(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of (await readdir(folder)).sort()) {
    const path = `${folder}/${name}`;
    const facts = await lstat(path, { bigint: true });
    const content = facts.isFile()
      ? await readFile(path)
      : facts.isSymbolicLink()
        ? await readlink(path)
        : '';
    hash.update(
      `${name} ${facts.ino} ${facts.mode} ${facts.uid} ${facts.nlink} ${facts.mtimeNs} ${facts.ctimeNs}\n`,
    );
    hash.update(content);
  }
  return hash.digest('hex');
}

/** Waits outside with memory, a queue and datagram sockets that boxed processes must not find. */
async function startHolder(
  attack: string,
  canary: string,
  targets: readonly string[],
  listeners: Listeners,
): Promise<ChildProcess> {
  const child = spawn(attack, ['hold', ...targets, '--'], {
    env: { BULKHEAD_CANARY: canary },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const [first] = await once(lines, 'line');
  if (first !== 'holding') throw new Error('The victim outside did not start');
  lines.on('line', (line) => {
    if (line === 'datagram') listeners.add('datagram');
  });
  return child;
}
