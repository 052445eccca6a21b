import { readdirSync, readFileSync } from 'node:fs';

/** Every process that was started with this home in its environment, and all that descend from one. */
export function processesOf(home: string): readonly number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(all.map((pid) => [pid, parentOf(pid)]));
  const found = new Set(all.filter((pid) => isOf(pid, home)));
  for (let grown = true; grown; ) {
    const more = all.filter((pid) => !found.has(pid) && found.has(parents.get(pid) ?? ''));
    for (const pid of more) found.add(pid);
    grown = more.length > 0;
  }
  return [...found].map(Number).filter((pid) => pid !== process.pid);
}

/** Proportional memory of all of them, in MB: shared pages count once. */
export function memoryOf(pids: readonly number[]): number {
  const kilobytes = pids.map((pid) =>
    Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0),
  );
  return Math.round(kilobytes.reduce((sum, one) => sum + one, 0) / 1024);
}

/** Open descriptors of all of them. */
export function descriptorsOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + list(`/proc/${pid}/fd`).length, 0);
}

function isOf(pid: string, home: string): boolean {
  const command = read(`/proc/${pid}/cmdline`);
  return (
    /(supervisor|engine)\.js/.test(command) &&
    read(`/proc/${pid}/environ`).split('\0').includes(`BULKHEAD_HOME=${home}`)
  );
}

function parentOf(pid: string): string {
  const stat = read(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? '';
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function list(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
