import { basename } from 'node:path/posix';
import { NOTHING_FOUND } from './look-for-missing.ts';
import type { ShellEnd } from './run-shell-process.ts';
import type { FoundOutside, StartedCommand } from './started-command.ts';

/** Only the beginning of a longer command is searched. */
const LOOK_AT = 16_384;
/** Programs that read all files, and end with 1 when they found nothing or a difference. */
const SEARCH = /^\s*(?:grep|egrep|fgrep|rg|ag|ack|diff|cmp|git\s+(?:grep|diff))\b/;

/**
 * Hidden files that the command needs: it opened one, saw it empty, and has failed or names it. A
 * search that passes over it needs none. Never rejects: a result does not end with it.
 *
 * @param command its text
 */
export async function lookForOpened(
  { transaction, offerFiles }: Pick<StartedCommand, 'transaction' | 'offerFiles'>,
  { code, stopped }: ShellEnd,
  command: string,
): Promise<FoundOutside> {
  const opened = transaction?.opened ?? [];
  if (
    offerFiles === undefined ||
    transaction?.goesOn === true ||
    opened.length === 0 ||
    stopped !== undefined
  )
    return NOTHING_FOUND;
  try {
    const hasFailed = code !== 0 && !(code === 1 && SEARCH.test(command));
    const needed = opened.filter((path) => hasFailed || isNamed(path, command.slice(0, LOOK_AT)));
    return needed.length === 0 ? NOTHING_FOUND : await offerFiles(needed);
  } catch {
    return NOTHING_FOUND;
  }
}

/** Its own name, as a whole word: `.env` is none in `.env.example`. The name may hold any characters. */
function isNamed(path: string, command: string): boolean {
  const name = basename(path);
  for (let at = command.indexOf(name); at >= 0; at = command.indexOf(name, at + 1)) {
    const end = at + name.length;
    if (!/[\w.-]/.test(command.charAt(at - 1)) && !/^(?:[\w-]|\.\w)/.test(command.slice(end, end + 2)))
      return true;
  }
  return false;
}
