import { Readable } from 'node:stream';
import type { UiCommand, UiSeat } from '@bulkhead/tui';
import { parseArguments } from '../arguments/parse-arguments.ts';
import { ToldLines } from '../chat/ui/told-lines.ts';
import type { Command } from '../command.ts';
import type { Environment } from '../environment.ts';

/** A command of the command line that is useful during a conversation. */
interface LineCommand extends Pick<UiCommand, 'name' | 'about' | 'argument'> {
  load(): Promise<Command>;
  /** @param words the words after the name */
  argv(words: readonly string[], sessionId: string): readonly string[];
}

const LINES: readonly LineCommand[] = [
  {
    name: 'approve',
    argument: '[list | show ID | answer ID y|n|s|a]',
    about: 'pending approvals of all sessions',
    load: async () => (await import('./approvals.ts')).approvalsCommand,
    argv: (words) => (words.length === 0 ? ['list'] : words),
  },
  {
    name: 'audit',
    argument: '[list | verify | proof ID]',
    about: 'the record of this session’s actions; verify recomputes all of it',
    load: async () => (await import('./audit.ts')).auditCommand,
    argv: (words, sessionId) => (words.length === 0 ? ['list', '--session', sessionId] : words),
  },
  {
    name: 'changes',
    about: 'changes of actions, with their ids for undo',
    load: async () => (await import('./chronicle.ts')).chronicleCommand,
    argv: () => ['list'],
  },
  {
    name: 'grants',
    argument: '[list | revoke ID]',
    about: 'what later commands of a folder may reach',
    load: async () => (await import('./grants.ts')).grantsCommand,
    argv: (words) => (words.length === 0 ? ['list'] : words),
  },
  {
    name: 'export',
    argument: '[html|jsonl] [FILE] [--force]',
    about: 'write this session to a file; --force overwrites one',
    load: async () => (await import('./sessions.ts')).sessionsCommand,
    argv: (words, sessionId) => {
      const [format = 'html', file] = words.filter((word) => word !== '--force');
      const output = file ?? `bulkhead-${sessionId}.${format}`;
      const force = words.includes('--force') ? ['--force'] : [];
      return ['export', sessionId, '--format', format, '--output', output, ...force];
    },
  },
  {
    name: 'doctor',
    about: 'check this machine, the sandbox and the configuration',
    load: async () => (await import('./doctor.ts')).doctorCommand,
    argv: () => [],
  },
];

/**
 * The commands of the command line for the terminal UI. @param environment of the process the UI
 * runs in
 */
export function lineCommands(environment: Environment): readonly UiCommand[] {
  return LINES.map(({ load, argv, ...words }) => ({
    ...words,
    run: async (argument, seat) => {
      const given = argument.split(/\s+/).filter((word) => word !== '');
      await runLine(await load(), `/${words.name}`, argv(given, seat.sessionId), environment, seat);
    },
  }));
}

/** Such a command has no input: its questions are refused. */
async function runLine(
  command: Command,
  name: string,
  argv: readonly string[],
  environment: Environment,
  seat: UiSeat,
): Promise<void> {
  using told = new ToldLines((text) => seat.print(text));
  const { stream } = told;
  const { clock, newId, entries, cwd } = environment;
  await command.run(parseArguments(name, command.options, argv), {
    clock,
    newId,
    entries,
    cwd,
    env: { ...environment.env, NO_COLOR: '1' },
    stdin: Readable.from([]),
    stdout: stream,
    stderr: stream,
    onInterrupt: (listener) => {
      seat.signal.addEventListener('abort', listener, { once: true });
      return { [Symbol.dispose]: () => seat.signal.removeEventListener('abort', listener) };
    },
  });
}
