import { appendFileSync, readFileSync } from 'node:fs';

/** Of Linux's process statistics, clock ticks a second: a constant of its interface (proc_pid_stat(5)). */
const TICKS = 100;

/**
 * Measures what a test file takes of the processors, with the processes it started and waited for.
 *
 * @param path File to add a line to: seconds, then the test file's name. Nothing is measured without.
 * @returns To be called at the end of the test file, with its name.
 */
export function notesProcessorTime(path: string | undefined): (name: string) => void {
  const start = path === undefined ? undefined : spentSoFar();
  return (name) => {
    const end = spentSoFar();
    if (path === undefined || start === undefined || end === undefined) return;
    appendFileSync(path, `${(end - start).toFixed(1)} ${name}\n`);
  };
}

/** Seconds of this process and of its ended children; `undefined` where the system does not say it so. */
function spentSoFar(): number | undefined {
  try {
    // After the name, which may hold blanks: state is the first, and utime to cstime are the 12th to the 15th.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
  } catch {
    return undefined;
  }
}

/**
 * Reads such lines.
 *
 * @param text What {@link notesProcessorTime} wrote.
 * @param count Of the files that took most.
 * @returns One line each, the longest first.
 */
export function longestFiles(text: string, count: number): string[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ line, seconds: Number.parseFloat(line) }))
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, count)
    .map(({ line }) => line.replace(' ', ' s  '));
}
