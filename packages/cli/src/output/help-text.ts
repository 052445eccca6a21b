import { COMMON_OPTIONS, type OptionTable } from '../arguments/option-table.ts';
import type { Command } from '../command.ts';
import { COMMANDS } from '../command-table.ts';
import { EXAMPLES } from './examples.ts';

export function overview(): string {
  return [
    'bulkhead: a personal AI agent that works in your files and shell, records every action and can undo its changes',
    '',
    'usage: bulkhead [COMMAND] [OPTIONS]',
    '',
    ...columns(COMMANDS.map(({ name, about }) => [name, about])),
    '',
    'Without a command: opens the chat in a terminal, otherwise runs the engine in the foreground.',
    '`bulkhead COMMAND --help` shows more. BULKHEAD_HOME is the folder of all data (~/.bulkhead).',
    '',
  ].join('\n');
}

export function commandHelp(name: string, command: Command): string {
  return [
    command.about,
    '',
    `usage: bulkhead ${name} ${command.usage}`.trimEnd(),
    '',
    ...columns(optionRows({ ...command.options, ...COMMON_OPTIONS })),
    ...(command.details === undefined ? [] : ['', ...command.details]),
    '',
    'Examples:',
    ...columns(EXAMPLES[name] ?? []).map((line) => line.trimEnd()),
    ...(tellsExitCodes(command) ? [] : ['', EXIT_CODES]),
    '',
  ].join('\n');
}

/** For commands without exit codes of their own. */
const EXIT_CODES =
  'Exit codes: 0 done, 1 failed, 2 a mistake on the command line, 130 cancelled with Ctrl-C.';

function tellsExitCodes({ details = [] }: Command): boolean {
  return details.some((line) => line.startsWith('Exit codes: '));
}

function optionRows(table: OptionTable): [string, string][] {
  return Object.entries(table)
    .filter(([, spec]) => spec.about !== '')
    .map(([name, spec]) => {
      const short = spec.short === undefined ? '' : `-${spec.short}, `;
      const value = spec.value === undefined ? '' : ` ${spec.value}`;
      return [`${short}--${name}${value}`, spec.about];
    });
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
