import type { Action } from '@bulkhead/protocol';
import type { SimpleCommand } from '../../policy/policy-case.ts';
import { type CommandReading, readCommand } from './analyse-command.ts';

/** The part of an action that holds its command. */
type CommandAction = Pick<Action, 'metadata'>;

/** Reads the commands of actions, each only once for all judges. */
export interface CommandReadings {
  /** Undefined for an action without a command. */
  of(action: CommandAction): CommandReading | undefined;
  /** For policy: every simple command that the action would start. */
  startedBy(action: CommandAction): readonly SimpleCommand[] | undefined;
  /**
   * The absolute paths of files that the command reads, so that reading by a command counts as
   * reading by a tool does. Unknown parts of a path, from patterns or values known only at run
   * time, are `*`.
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
