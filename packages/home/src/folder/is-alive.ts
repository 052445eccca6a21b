import { existsSync, readFileSync } from 'node:fs';

/** A process that has ended but was not yet collected by its parent counts as ended. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM';
  }
  const stat = `/proc/${pid}/stat`;
  if (!existsSync(stat)) return !existsSync('/proc/self/stat');
  try {
    return !/\) [ZX] /.test(readFileSync(stat, 'utf8'));
  } catch {
    return false;
  }
}
