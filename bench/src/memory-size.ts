import { processTree, pssKb } from './process-table.ts';

/** @returns MB (a million bytes) of the processes below `roots`, themselves included */
export function sizeOf(roots: readonly number[], counts: (pid: number) => boolean = () => true): number {
  const kilobytes = processTree(...roots)
    .filter(counts)
    .reduce((sum, pid) => sum + pssKb(pid), 0);
  return (kilobytes * 1_024) / 1_000_000;
}
