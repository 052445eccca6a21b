import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second for user space on every architecture (USER_HZ). */
const MS_PER_TICK = 10;

interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** User and system time of the process itself, milliseconds. */
  readonly ownMs: number;
  /** The same of its children that have ended and were waited for, and theirs. */
  readonly endedChildrenMs: number;
}

/** CPU time of processes that live and of what they have waited for, milliseconds, to 10 ms a process. */
export function cpuMs(pids: readonly number[]): number {
  return pids
    .map(readEntry)
    .reduce((sum, entry) => sum + (entry?.ownMs ?? 0) + (entry?.endedChildrenMs ?? 0), 0);
}

/** CPU time of all ended children of this process, milliseconds. */
export function endedChildrenMs(): number {
  return readEntry(process.pid)?.endedChildrenMs ?? 0;
}

/** Processes and all below them; without those that have ended. */
export function processTree(...roots: readonly number[]): readonly number[] {
  const entries = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readEntry(Number(name)) ?? []);
  const found = new Set(entries.filter(({ pid }) => roots.includes(pid)).map(({ pid }) => pid));
  for (const known of found) {
    for (const { pid, parent } of entries) if (parent === known) found.add(pid);
  }
  return [...found];
}

/** Proportional set size: private memory and a share of what is shared with others, kB. 0 for what has ended. */
export function pssKb(pid: number): number {
  const text = readIfThere(`/proc/${pid}/smaps_rollup`);
  return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0);
}

/** The program and its arguments, with spaces between; empty for what has ended. */
export function commandOf(pid: number): string {
  return readIfThere(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
}

/** Fields: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html, counted from the third (state). */
function readEntry(pid: number): ProcessEntry | undefined {
  const text = readIfThere(`/proc/${pid}/stat`);
  if (text === '') return undefined;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = (index: number): number => Number(fields[index]);
  return {
    pid,
    parent: ticks(1),
    ownMs: (ticks(11) + ticks(12)) * MS_PER_TICK,
    endedChildrenMs: (ticks(13) + ticks(14)) * MS_PER_TICK,
  };
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Ended between listing and reading.
    return '';
  }
}
