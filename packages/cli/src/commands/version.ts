import { PRODUCT_VERSION, PROTOCOL_VERSION } from '@bulkhead/protocol';
import { JSON_OPTION } from '../arguments/option-table.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../exit-code.ts';

export const versionCommand: Command = {
  usage: '[--json]',
  about: 'Prints the version.',
  options: JSON_OPTION,
  run(args, { stdout }) {
    const text = args.flag('json')
      ? JSON.stringify({ version: PRODUCT_VERSION, protocol: PROTOCOL_VERSION, node: process.version })
      : `bulkhead ${PRODUCT_VERSION}`;
    stdout.write(`${text}\n`);
    return Promise.resolve(EXIT.completed);
  },
};
