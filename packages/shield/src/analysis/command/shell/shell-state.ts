import type { CommandNode, CompoundList, Function as FunctionNode, Redirected, Script } from 'unbash';
import { LABEL } from '../../effects/labels.ts';
import { HOLE } from '../../effects/pattern-text.ts';
import type { ResolvedPath } from '../../effects/resolve-path.ts';
import { literal, type Text, unknownText } from './text.ts';
import { WrittenFiles } from './written-files.ts';

/** Body of a function of the script. */
type FunctionBody = FunctionNode['body'] | CommandNode | Redirected | CompoundList;

/** Knowledge about the shell at one point of an analysis. A subshell gets a copy. */
export interface ShellState {
  folder: ResolvedPath;
  readonly home: string;
  readonly variables: Map<string, Text>;
  readonly arrays: Map<string, readonly Text[]>;
  readonly functions: Map<string, FunctionBody>;
  readonly aliases: Map<string, string>;
  readonly files: WrittenFiles;
  /** Scripts that read what is written to a name (`>(…)`). */
  readonly sinks: Map<string, Script>;
}

/** The state at the start of a command. */
export function createShellState(folder: ResolvedPath, home: string): ShellState {
  return {
    folder,
    home,
    variables: new Map(),
    arrays: new Map(),
    functions: new Map(),
    aliases: new Map(),
    files: new WrittenFiles(),
    sinks: new Map(),
  };
}

/** The state of a subshell: it sees everything, and changes only the disk. */
export function subshell(state: ShellState): ShellState {
  return {
    ...state,
    variables: new Map(state.variables),
    arrays: new Map(state.arrays),
    functions: new Map(state.functions),
    aliases: new Map(state.aliases),
  };
}

/** Variables with the same known value in every shell. */
const FIXED: Readonly<Record<string, string>> = {
  IFS: ' \t\n',
  TMPDIR: '/tmp',
  SHELL: '/bin/bash',
  BASH: '/bin/bash',
  OPTIND: '1',
  PPID: HOLE,
};
const SECRET_NAME =
  /token|secret|passw|credential|api_?key|private_?key|access_?key|auth|database_url|dsn$|_pat$/i;

/**
 * The value of a variable.
 *
 * @returns undefined if the command did not set it and its value is unknown
 */
export function variableOf(state: ShellState, name: string): Text | undefined {
  const set = state.variables.get(name) ?? state.arrays.get(name)?.[0];
  if (set !== undefined) return set;
  if (name === 'HOME') return literal(state.home);
  if (name === 'PWD') return literal(`${state.folder.anchored ? '' : HOLE}/${state.folder.names.join('/')}`);
  const fixed = FIXED[name];
  if (fixed !== undefined && Object.hasOwn(FIXED, name)) return literal(fixed);
  return unknownText(SECRET_NAME.test(name) ? LABEL.environment : LABEL.opaque);
}
