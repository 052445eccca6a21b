import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Facts about a boxed process from the host's /proc: the box itself is not asked. */
export interface OutsideFacts {
  readonly status: ReadonlyMap<string, string>;
  /** Soft limits by their names in /proc/PID/limits. */
  readonly limits: ReadonlyMap<string, string>;
  /** Name spaces that it does not share with this process. */
  readonly ownSpaces: readonly string[];
  readonly descriptors: readonly number[];
  readonly session: number;
  readonly mounts: readonly { readonly point: string; readonly options: readonly string[] }[];
}

const SPACES = ['user', 'mnt', 'pid', 'net', 'ipc', 'uts'] as const;
const SESSION_FIELD = 3;

/** /proc/PID/status by its names, which every user may read, even if the process hides the rest. */
export function statusOf(pid: number): ReadonlyMap<string, string> {
  const status = new Map<string, string>();
  for (const line of readFileSync(`/proc/${pid}/status`, 'utf8').split('\n')) {
    const [name = '', value = ''] = line.split(/:\s+/);
    status.set(name, value);
  }
  return status;
}

/** @throws Error if the process is gone, or another user's */
export function outsideFacts(pid: number): OutsideFacts {
  const limits = new Map<string, string>();
  for (const [, name = '', soft = ''] of readFileSync(`/proc/${pid}/limits`, 'utf8').matchAll(
    /^(Max .+?) {2,}(\S+)/gm,
  )) {
    limits.set(name, soft);
  }
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    status: statusOf(pid),
    limits,
    ownSpaces: SPACES.filter((space) => spaceOf(pid, space) !== spaceOf('self', space)),
    descriptors: readdirSync(`/proc/${pid}/fd`).map(Number),
    session: Number(fields[SESSION_FIELD]),
    mounts: readFileSync(`/proc/${pid}/mountinfo`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' '))
      .map(([, , , , point = '', options = '']) => ({ point, options: options.split(',') })),
  };
}

function spaceOf(pid: number | 'self', space: string): string {
  return readlinkSync(`/proc/${pid}/ns/${space}`);
}

/** The end of the chain of last children of `pid`: the program in the box. */
export function innermost(pid: number): number {
  // A box may start processes that help it; its program comes last.
  const child = childrenOf(pid).at(-1);
  return child === undefined ? pid : innermost(child);
}

/** In the order of their start. */
export function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number)
    .toSorted((a, b) => a - b);
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}

/** A dead process that its new parent has not yet collected counts as dead. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
