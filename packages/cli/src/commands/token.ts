import { readToken } from '@bulkhead/engine/client';
import { JSON_OPTION } from '../arguments/option-table.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';

export const tokenCommand: Command = {
  usage: '[--json]',
  about: 'Prints the token that local clients of this home send. Keep it to yourself.',
  options: JSON_OPTION,
  run(args, environment) {
    const token = readToken(homeOf(environment));
    environment.stdout.write(args.flag('json') ? `${JSON.stringify({ token })}\n` : `${token}\n`);
    return Promise.resolve(EXIT.completed);
  },
};
