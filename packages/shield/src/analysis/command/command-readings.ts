import type { Action } from '@bulkhead/protocol';
import type { SimpleCommand } from '../../policy/policy-case.ts';
import { type CommandReading, readCommand } from './analyse-command.ts';

/** What an action says of its command. */
type CommandAction = Pick<Action, 'metadata'>;

/** The commands of actions: each is read once, whichever judges ask about it. */
export interface CommandReadings {
  /** Undefined for an action that is no command. */
  of(action: CommandAction): CommandReading | undefined;
  /** For policy: every simple command that the action would start. */
  startedBy(action: CommandAction): readonly SimpleCommand[] | undefined;
  /**
   * The files the command reads, absolute and by its effects, so that reading by a command counts as reading by a tool does.
   * What is named by a pattern or known only when it runs is given as far as it is known, with `*` for the rest.
   */
  readBy(action: CommandAction): readonly string[];
}

/**
 * @param home of the person the agent works for, absolute
 * @param read reads one command
 */
export function createCommandReadings(home: string, read: typeof readCommand = readCommand): CommandReadings {
  const known = new WeakMap<Action['metadata'], CommandReading>();
  const of = ({ metadata }: CommandAction): CommandReading | undefined => {
    const { command, workingFolder, hosts = [] } = metadata;
    if (command === undefined) return undefined;
    const reading = known.get(metadata) ?? read(command, { workingFolder, home, hosts });
    known.set(metadata, reading);
    return reading;
  };
  return {
    of,
    startedBy: (action) => of(action)?.started,
    readBy: (action) => {
      const reads = (of(action)?.effects ?? []).flatMap(({ verb, place }) =>
        (verb === 'read' || verb === 'search') && place !== undefined ? [place.path] : [],
      );
      return [...new Set(reads)];
    },
  };
}
