import { JSON_OPTION } from '../arguments/option-table.ts';
import type { Command } from '../command.ts';
import { EXPORT_OPTIONS, sessionsCommand } from './sessions.ts';

/** A short name for a common command: `sessions export`. */
export const exportCommand: Command = {
  usage: 'ID [--format jsonl|html] [--output FILE] [--force] [--json]',
  about:
    'Writes all of a session to standard output, or to a file that only you can read. The same as `sessions export`.',
  takesWords: true,
  options: { ...JSON_OPTION, ...EXPORT_OPTIONS },
  run: (args, environment) => sessionsCommand.run({ ...args, words: ['export', ...args.words] }, environment),
};
