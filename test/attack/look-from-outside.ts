import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AGENT_BOX_LIMITS,
  BOX_FAILED_STATUS,
  type Box,
  boxedNodeArguments,
  type Sandbox,
  type SessionSpaces,
  WORKER_BOX_LIMITS,
} from '@bulkhead/sandbox';
import { launchAndWait } from '@bulkhead/sandbox/testing';
import { boxAround } from './arms.ts';
import type { BoxKind } from './attempt.ts';
import { launchOnView, type ShellView } from './launch-on-view.ts';
import {
  childrenOf,
  innermost,
  isAlive,
  type OutsideFacts,
  outsideFacts,
  statusOf,
} from './outside-facts.ts';
import { NoBoxError } from './run-batch.ts';
import { type World, worldMaxProcesses } from './world.ts';

/** A fact that must be true of a boxed process, checked from the host. */
export interface Fact {
  readonly box: BoxKind;
  readonly name: string;
  readonly ids: readonly string[];
  readonly holds: boolean;
  /** The observation. */
  readonly seen: string;
}

/** Later descriptors were not opened by the program. */
const LEAKED_FROM = 100;
const DEATH_MILLISECONDS = 1_000;
const NO_CAPABILITY = '0000000000000000';
/** CHOWN, DAC_OVERRIDE, FOWNER, SETGID, SETUID: what root keeps over files in a shell box. */
const FILE_CAPABILITIES = '00000000000000cb';
const ALL_SPACES = 'user mnt pid net ipc uts';

/** The kind of box, and how it was made. */
export interface Look {
  readonly box: BoxKind;
  readonly nameSpaces: boolean;
  /** Of a shell box. */
  readonly view: ShellView;
  readonly session: SessionSpaces | undefined;
}

interface Idle {
  readonly box: Box;
  readonly file: string;
  readonly args: readonly string[];
}

/** A program of the box that says "ready" and waits. */
async function idle(world: World, kind: BoxKind): Promise<Idle> {
  if (kind === 'shell') {
    return { box: boxAround(kind, world, []), file: '/bin/bash', args: ['-c', 'echo ready; exec sleep 30'] };
  }
  const script = `${world.folder}/bin/idle.mjs`;
  await writeFile(script, `console.log('ready'); setTimeout(() => {}, 30000);`);
  return {
    box: boxAround(kind, world, [script]),
    file: process.execPath,
    args: [...boxedNodeArguments, script],
  };
}

async function ready(child: ChildProcess): Promise<void> {
  if (child.stdout === null) throw new Error('stdout of a boxed program must be a pipe');
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(child, 'close').then(([code]) => {
    throw code === BOX_FAILED_STATUS ? new NoBoxError(said.trim()) : new Error(`exit ${code}: ${said}`);
  });
  ended.catch(() => undefined);
  await Promise.race([once(child.stdout, 'data'), ended]);
}

/**
 * Makes a box, and asks the host's kernel about the process in it.
 * @throws NoBoxError
 */
export async function lookFromOutside(sandbox: Sandbox, world: World, look: Look): Promise<Fact[]> {
  const { box, file, args } = await idle(world, look.box);
  const place = { view: look.view, folder: world.folder, session: look.session };
  const child = launchOnView(sandbox, box, { file, args, cwd: world.work, env: {} }, place);
  try {
    await ready(child);
    const pid = innermost(child.pid ?? 0);
    const own = outsideFacts(pid);
    return [...factsOf(look, own), ...(look.box === 'shell' ? initFacts(child.pid ?? 0, look.view) : [])];
  } finally {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
}

type Check = readonly [ids: string, name: string, seen: string, wanted: string | RegExp];

function factsOf(look: Look, facts: OutsideFacts): Fact[] {
  const isRoot = process.getuid?.() === 0;
  const kept = isRoot && look.box === 'shell' ? FILE_CAPABILITIES : NO_CAPABILITY;
  const checks = [
    ...everyBox(facts, kept),
    ...(isRoot || look.box === 'shell' || look.nameSpaces ? bounds(facts, kept) : []),
    ...(look.box === 'shell' || look.nameSpaces ? spaces(facts) : []),
    ...limits(look, facts),
  ];
  return checks.map(([ids, name, seen, wanted]) => ({
    box: look.box,
    name,
    ids: ids.split(' '),
    seen,
    holds: typeof wanted === 'string' ? seen === wanted : wanted.test(seen),
  }));
}

function everyBox({ status, limits: held, descriptors, session }: OutsideFacts, kept: string): Check[] {
  const sets = (...names: string[]): string =>
    [...new Set(names.map((name) => status.get(name) ?? '?'))].join();
  return [
    ['FT04', 'filtered system calls', status.get('Seccomp') ?? '?', '2'],
    ['FT04', 'no new privileges', status.get('NoNewPrivs') ?? '?', '1'],
    ['FT04', 'no capability but over files', sets('CapPrm', 'CapEff'), kept],
    ['FT04', 'no capability to hand on', sets('CapInh', 'CapAmb'), NO_CAPABILITY],
    ['FT03', 'no core file', held.get('Max core file size') ?? '?', /^[01]$/],
    ['FT05', 'descriptors', descriptors.filter((fd) => fd >= LEAKED_FROM).join(), ''],
    ['FT04', 'session of its own', String(session !== outsideFacts(process.pid).session), 'true'],
  ];
}

function bounds({ status }: OutsideFacts, kept: string): Check[] {
  return [['FT04', 'no other capability ever', status.get('CapBnd') ?? '?', kept]];
}

function spaces({ ownSpaces, mounts }: OutsideFacts): Check[] {
  return [
    ['FT01 FT02 FT09', 'name spaces', ownSpaces.join(' '), ALL_SPACES],
    ['FT08', 'no set-user programs', without(mounts, 'nosuid'), ''],
    ['FT08', 'no devices', without(mounts, 'nodev').replace(/(^| )\/dev\/\w+/g, ''), ''],
    ['FT01', 'read-only system', writable(mounts), ''],
  ];
}

function limits({ box, nameSpaces }: Look, { limits: held }: OutsideFacts): Check[] {
  const limit = (name: string): string => held.get(`Max ${name}`) ?? '?';
  if (box === 'shell') {
    return [
      ['FT07', 'processes', limit('processes'), String(worldMaxProcesses)],
      ['FT05', 'open files', limit('open files'), '256'],
      ['FT04', 'file size', limit('file size'), String(1024 ** 3)],
    ];
  }
  const wanted = box === 'agent' ? AGENT_BOX_LIMITS : WORKER_BOX_LIMITS;
  return [
    ['FT05', 'open files', limit('open files'), String(wanted.maxOpenFiles)],
    ['FT04', 'memory', limit('data size'), String(wanted.maxDataBytes)],
    // Counted for the whole user, and so only in a user name space.
    ...(nameSpaces ? [['FT07', 'processes', limit('processes'), String(wanted.maxProcesses)] as const] : []),
  ];
}

type Mounts = OutsideFacts['mounts'];

function without(mounts: Mounts, option: string): string {
  return mounts
    .filter(({ options }) => !options.includes(option))
    .map(({ point }) => point)
    .join(' ');
}

/** Mounts that may be written and are none of the box's own. */
function writable(mounts: Mounts): string {
  return mounts
    .filter(
      ({ point, options }) => options.includes('rw') && /^\/(usr|bin|lib|sbin|etc|opt|proc)|^\/$/.test(point),
    )
    .map(({ point }) => point)
    .join(' ');
}

/**
 * The box's first process outlives commands and ends with the launcher: it must have the same
 * restrictions.
 */
function initFacts(launcher: number, view: ShellView): Fact[] {
  const init = innermostAbove(launcher);
  const status = statusOf(init);
  const fact = (name: string, seen: string, wanted: string): Fact => ({
    box: 'shell',
    name,
    ids: ['FT04'],
    seen,
    holds: seen === wanted,
  });
  return [
    fact('init: filtered system calls', status.get('Seccomp') ?? '?', '2'),
    fact('init: no capability', status.get('CapEff') ?? '?', NO_CAPABILITY),
    ...(view === 'overlay' ? helperFacts(init, fact) : []),
  ];
}

/** Of the processes that help a command, in the order of their start; the command is the last child. */
function helperFacts(init: number, fact: (name: string, seen: string, wanted: string) => Fact): Fact[] {
  const files = BigInt(`0x${process.getuid?.() === 0 ? FILE_CAPABILITIES : NO_CAPABILITY}`);
  const wanted: Readonly<Record<string, bigint>> = {
    refresher: MOUNTS,
    renamer: files | SEES_MEMORY,
    replayer: files,
  };
  const found = childrenOf(init).slice(0, -1).map(statusOf);
  return [
    fact('helpers', String(found.length), String(Object.keys(wanted).length)),
    ...Object.entries(wanted).flatMap(([name, rights], at) => {
      const seen = (key: string): string => found[at]?.get(key) ?? '?';
      const words = rights.toString(16).padStart(NO_CAPABILITY.length, '0');
      return [
        fact(`${name}: filtered system calls`, seen('Seccomp'), '2'),
        fact(`${name}: no right but what it needs`, seen('CapEff'), words),
        fact(`${name}: none that it could get`, seen('CapBnd'), words),
      ];
    }),
  ];
}

/** CAP_SYS_PTRACE. */
const SEES_MEMORY = 1n << 19n;
/** CAP_SYS_ADMIN, in the user name space that owns the view's mount; the filter leaves one call that needs it. */
const MOUNTS = 1n << 21n;

/** The process below the launcher. */
function innermostAbove(launcher: number): number {
  let at = innermost(launcher);
  for (;;) {
    const parent = Number(statusOf(at).get('PPid'));
    if (parent === launcher || parent <= 1) return at;
    at = parent;
  }
}

/**
 * Kills a launching process outright and checks that its box ends too.
 * @param packageRoot folder whose `prebuilt` holds the launcher
 */
export async function endsWithItsLauncher(packageRoot: string, world: World, look: Look): Promise<Fact> {
  const { box, file, args } = await idle(world, look.box);
  const { nameSpaces } = look;
  const request = {
    packageRoot,
    nameSpaces,
    scratch: world.folder,
    launch: { box, file, args, cwd: world.work },
  };
  // A command line names numbers by their digits anyway.
  const text = JSON.stringify(request, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  const parent = spawn(process.execPath, [launchAndWait, text], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await ready(parent);
  const boxed = innermost(parent.pid ?? 0);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  const end = performance.now() + DEATH_MILLISECONDS;
  while (isAlive(boxed) && performance.now() < end) await sleep(10);
  const alive = isAlive(boxed);
  if (alive) process.kill(boxed, 'SIGKILL');
  return {
    box: look.box,
    name: 'ends with its launching process',
    ids: ['FT07'],
    seen: alive ? 'alive after a second' : 'dead',
    holds: !alive,
  };
}
