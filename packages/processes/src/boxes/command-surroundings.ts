import type { ShellCommand } from '@bulkhead/tools';
import { isWithin } from '../paths/levels.ts';
import type { BoxedCommand } from './live-command.ts';
import type { RepositoryRoot } from './repository-root.ts';
import type { OpenedBeside } from './shown-beside.ts';

type PlainCommand = Omit<BoxedCommand, 'kept'>;

/**
 * In place of the system's configuration, which a box does not show: so a repository and the home of
 * the box have the last word. Needs git 2.32.
 */
export function withGitSettings(command: ShellCommand, folder: string | undefined): PlainCommand {
  if (folder === undefined) return { ...command, shown: [], beside: [] };
  return {
    ...command,
    shown: [folder],
    beside: [],
    env: { ...command.env, GIT_CONFIG_SYSTEM: `${folder}/config` },
  };
}

/**
 * Git would end its search at the working folder, which is a mount of its own. An allowed folder around the
 * root shows that as well.
 */
export function withRoot(
  command: PlainCommand,
  root: RepositoryRoot | undefined,
  { beside }: OpenedBeside,
): PlainCommand {
  const isAround = beside.some(({ path }) => isWithin(command.cwd, path));
  if (root === undefined && !isAround) return command;
  const shown = root === undefined || beside.some(({ path }) => isWithin(root.path, path)) ? {} : { root };
  return { ...command, ...shown, env: { ...command.env, GIT_DISCOVERY_ACROSS_FILESYSTEM: '1' } };
}

/** Programs that are shown come first, as in the person's shell. */
export function withBeside(
  command: PlainCommand,
  { beside, env: { PATH: programs = '', ...variables } }: OpenedBeside,
): PlainCommand {
  if (beside.length === 0) return command;
  const path = [programs, command.env['PATH'] ?? ''].filter((part) => part !== '').join(':');
  return { ...command, beside, env: { ...command.env, ...variables, PATH: path } };
}
