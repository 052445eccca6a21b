import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Clock ticks a second, of Linux's process statistics: a constant of its interface. */
const TICKS = 100;

/** A process as `/proc` tells it. A number is used again one day: only with its start is it an identity. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** Clock ticks since the machine started. */
  readonly start: string;
}

/** @returns undefined if it has ended; one that only waits to be collected counts as ended */
export function processEntry(pid: number): ProcessEntry | undefined {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  // The second field is the name in brackets and may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, start] = [fields[0], fields[1], fields[19]];
  if (state === undefined || parent === undefined || start === undefined || /[ZX]/.test(state))
    return undefined;
  return { pid, parent: Number(parent), start };
}

export function isAlive(known: ProcessEntry): boolean {
  return processEntry(known.pid)?.start === known.start;
}

/**
 * The living processes below `pid`, children of children too, without itself.
 *
 * @param all of them, if they were just read
 */
export function descendantsOf(pid: number, all = everyProcess()): readonly ProcessEntry[] {
  const found: ProcessEntry[] = [];
  const parents = new Set([pid]);
  for (let grew = true; grew; ) {
    const fresh = all.filter((entry) => parents.has(entry.parent) && !parents.has(entry.pid));
    for (const entry of fresh) parents.add(entry.pid);
    found.push(...fresh);
    grew = fresh.length > 0;
  }
  return found;
}

/**
 * The process in a box: what the engine started, or its child where that is a launcher waiting outside the name spaces.
 */
export function boxedProcessOf(pid: number): number {
  const children = everyProcess().filter((entry) => entry.parent === pid);
  const [child] = children;
  return child !== undefined && /\/bulkhead-launcher$/.test(commandLineOf(pid)[0] ?? '') ? child.pid : pid;
}

/**
 * Processes whose environment says that they work on this home: supervisors and engines.
 *
 * @param all of them, if they were just read
 */
export function processesOfHome(home: string, all = everyProcess()): readonly ProcessEntry[] {
  const word = `BULKHEAD_HOME=${home}`;
  return all.filter((entry) => settledEnvironmentOf(entry).includes(word));
}

/** A new process may not have started its program yet: from then on its environment stays. */
const SETTLED_TICKS = 500;
const environments = new Map<string, readonly string[]>();

/** As `environmentOf`; of a process that is not new it is read once, for a test may ask many times a second. */
function settledEnvironmentOf({ pid, start }: ProcessEntry): readonly string[] {
  const key = `${pid} ${start}`;
  const known = environments.get(key);
  if (known !== undefined) return known;
  const environment = environmentOf(pid);
  const ticks = Number.parseFloat(readOrEmpty('/proc/uptime')) * TICKS;
  if (ticks - Number(start) > SETTLED_TICKS) environments.set(key, environment);
  return environment;
}

export function environmentOf(pid: number): readonly string[] {
  return words(readOrEmpty(`/proc/${pid}/environ`));
}

export function commandLineOf(pid: number): readonly string[] {
  return words(readOrEmpty(`/proc/${pid}/cmdline`));
}

/** A line of `/proc/PID/status`, for example `NoNewPrivs`. */
export function statusField(pid: number, name: string): string | undefined {
  const line = readOrEmpty(`/proc/${pid}/status`)
    .split('\n')
    .find((one) => one.startsWith(`${name}:`));
  return line?.slice(name.length + 1).trim();
}

/** Open descriptors and what they lead to. */
export function descriptorsOf(pid: number): ReadonlyMap<number, string> {
  const numbers = readdirSync(`/proc/${pid}/fd`).map(Number);
  return new Map(numbers.sort((a, b) => a - b).map((fd) => [fd, readlinkSync(`/proc/${pid}/fd/${fd}`)]));
}

export function workingFolderOf(pid: number): string {
  return readlinkSync(`/proc/${pid}/cwd`);
}

/** All that live now. */
export function everyProcess(): readonly ProcessEntry[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => processEntry(Number(name)) ?? []);
}

function words(text: string): readonly string[] {
  return text.split('\0').filter((word) => word !== '');
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
