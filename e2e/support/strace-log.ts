import { existsSync } from 'node:fs';
import { posix } from 'node:path';

/** The program that runs a command and writes down every name of a file that it, or what it starts, uses. */
export function straceOf(log: string): readonly string[] {
  return ['strace', '-f', '-y', '-qq', '-s', '4096', '-o', log, '-e', 'trace=%file'];
}

/**
 * Names strictly below a folder that a log of `straceOf` holds: given whole, relative to an open folder, as what a
 * descriptor turned out to be, or relative to a working folder. The log doesn't tell that one, so such a name counts
 * wherever something in the folder has it.
 *
 * @returns relative to the folder, in the order they were used
 */
export function pathsBelow(log: string, folder: string): readonly string[] {
  return log.split('\n').flatMap((line) =>
    pathsOf(line).flatMap((path) => {
      const below = posix.relative(folder, posix.resolve(folder, path));
      if (below === '' || below.startsWith('..')) return [];
      return path.startsWith('/') || existsSync(posix.join(folder, below)) ? [below] : [];
    }),
  );
}

/** `-y` writes an open descriptor as `3</its/path>`, also AT_FDCWD and results. */
function pathsOf(line: string): readonly string[] {
  const opened = [...line.matchAll(/(?:\d|AT_FDCWD)<(\/[^>]*)>/g)].map(([, path = '']) => path);
  // Of a program that is started only its own name is used, not its arguments.
  const call = /\bexecve(at)?\(/.test(line) ? line.slice(0, line.indexOf('[')) : line;
  const names = [...call.matchAll(/(?:<(\/[^>]*)>, )?"((?:[^"\\]|\\.)*)"/g)].map(([, base, name = '']) =>
    posix.join(name.startsWith('/') || base === undefined ? '' : base, name),
  );
  return [...opened, ...names];
}
