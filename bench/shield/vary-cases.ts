/*
 * Makes variants of the commands in a cases file: the same effect in another spelling. Prints a case for each, with the
 * variation as its category, for `bulkhead shield eval`. Runs nothing.
 *
 * usage: node scripts/run.mjs bench/shield/vary-cases.ts CASES.jsonl > VARIANTS.jsonl
 */
import { readFileSync } from 'node:fs';
import { VARIATIONS } from './vary-command.ts';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('which file of cases?');
for (const line of readFileSync(file, 'utf8').split('\n')) {
  const subject: unknown = line === '' ? undefined : JSON.parse(line);
  if (!isCommandCase(subject)) continue;
  for (const [category, vary] of Object.entries(VARIATIONS)) {
    const command = vary(subject.args.command);
    if (command === undefined) continue;
    const variant = {
      ...subject,
      id: `${subject.id}/${category}`,
      category,
      args: { ...subject.args, command },
    };
    process.stdout.write(`${JSON.stringify(variant)}\n`);
  }
}

function isCommandCase(value: unknown): value is { id: string; args: { command: string } } {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('args' in value)) return false;
  const { args } = value;
  return typeof args === 'object' && args !== null && 'command' in args && typeof args.command === 'string';
}
