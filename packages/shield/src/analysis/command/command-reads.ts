import { analyseCommand } from './analyse-command.ts';

/**
 * The files a command reads, absolute and by their effects, so that reading by a command counts as reading by a tool does.
 * What is named by a pattern or known only when it runs is given as far as it is known, with `*` for the rest.
 *
 * @param home of the person the agent works for, absolute
 */
export function createCommandReads(
  home: string,
): (command: string, workingFolder: string) => readonly string[] {
  return (command, workingFolder) => {
    const { effects } = analyseCommand(command, { workingFolder, home, hosts: [] }, { preset: 'default' });
    const reads = effects.filter(
      ({ verb, place }) => (verb === 'read' || verb === 'search') && place !== undefined,
    );
    return [...new Set(reads.flatMap(({ place }) => (place === undefined ? [] : [place.path])))];
  };
}
