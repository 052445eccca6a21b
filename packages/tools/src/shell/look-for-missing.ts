import { describeError, inertLine, type Need, type NeedKind } from '@bulkhead/protocol';
import { namedPlaces } from './named-places.ts';
import type { ShellEnd } from './run-shell-process.ts';
import type { FoundOutside, StartedCommand } from './started-command.ts';

export const NOTHING_FOUND: FoundOutside = { needs: [], refused: [] };

/** Length of the output's end that is searched: errors come last. */
const SEARCHED_LENGTH = 16_384;
/** Programs of one command that are looked for. */
const MAX_PROGRAMS = 8;
const NAME = '([A-Za-z0-9_][A-Za-z0-9_.+-]{0,63})';
/** How shells, `env` and `make` report a program that is on no folder of PATH. */
const REPORTS = [
  new RegExp(String.raw`(?:^|[:\s])${NAME}: (?:command )?not found$`, 'gm'),
  new RegExp(String.raw`\benv: [‘'"]?${NAME}[’'"]?: No such file or directory$`, 'gm'),
  new RegExp(String.raw`^make(?:\[\d+\])?: ${NAME}: No such file or directory$`, 'gm'),
];

/** Names of programs that a command did not find, as its output reports them. */
export function missingPrograms(output: string): readonly string[] {
  const end = output.slice(-SEARCHED_LENGTH);
  const names = REPORTS.flatMap((report) => [...end.matchAll(report)].map(([, name = '']) => name));
  return [...new Set(names)].slice(0, MAX_PROGRAMS);
}

/**
 * Looks outside the box for what a command seems not to have found, if it failed and was not stopped. Never
 * rejects: a result does not end with it.
 */
export async function lookForMissing(
  { lookFor }: Pick<StartedCommand, 'lookFor'>,
  { code, stopped }: ShellEnd,
  command: string,
  output: string,
): Promise<FoundOutside> {
  if (lookFor === undefined || code === 0 || stopped !== undefined) return NOTHING_FOUND;
  const programs = missingPrograms(output);
  const places = namedPlaces(command, output);
  if (programs.length === 0 && places.length === 0) return NOTHING_FOUND;
  try {
    return await lookFor({ programs, places });
  } catch (error) {
    return { needs: [], refused: [`what it did not find could not be looked for: ${describeError(error)}`] };
  }
}

/** Of two searches. */
export function joinFound(one: FoundOutside, other: FoundOutside): FoundOutside {
  return { needs: [...one.needs, ...other.needs], refused: [...one.refused, ...other.refused] };
}

/** Notes on what was found, a clause each. */
export function missingNotes({ needs, refused }: FoundOutside): readonly string[] {
  const note = (of: NeedKind, what: string, verb = 'read') => {
    const isOf = ({ kind, write }: Need) => kind === of && (write === true) === (verb !== 'read');
    const targets = needs.filter(isOf).map(({ target }) => inertLine(target));
    return targets.length === 0
      ? []
      : [`needs ${what} ${targets.join(', ')}, which commands ${verb} only with the user's permission`];
  };
  return [
    ...note('toolchain', 'programs in the toolchain folder'),
    ...note('folder', 'the folder'),
    ...note('folder', 'to change the folder', 'change'),
    ...note('secret-file', 'the file'),
    ...refused.map((why) => `refused: ${inertLine(why)}`),
  ];
}
