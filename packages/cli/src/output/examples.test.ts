import { describe, expect, it } from 'vitest';
import { parseArguments } from '../arguments/parse-arguments.ts';
import { COMMANDS } from '../command-table.ts';
import { EXAMPLES } from './examples.ts';
import { commandHelp } from './help-text.ts';

/** The words after `bulkhead` in a shell line. */
function wordsOf(line: string): readonly string[] {
  const [, call = ''] = /bulkhead (.*?)\)?$/.exec(line) ?? [];
  return [...call.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, one, two, three]) => one ?? two ?? three ?? '',
  );
}

describe('the help of', () => {
  it.each(COMMANDS)(
    '$name has a synopsis, options, examples that parse, and exit codes [I1]',
    async ({ name, load }) => {
      const command = await load();
      const help = commandHelp(name, command);
      expect(help).toContain(`usage: bulkhead ${name}`);
      expect(help).toContain('-h, --help');
      expect(help).toMatch(/^Exit codes(?: of [a-z]+)?: /m);
      const examples = EXAMPLES[name] ?? [];
      expect(examples.length).toBeGreaterThan(0);
      for (const [line] of examples) {
        expect(help).toContain(line);
        const [word, ...rest] = wordsOf(line);
        expect(word).toBe(name);
        const args = parseArguments(`bulkhead ${name}`, command.options, rest);
        const [verb] = args.words;
        if (command.takesWords !== true) expect(args.words).toEqual([]);
        if (command.verbs !== undefined && verb !== undefined) expect(command.verbs).toContain(verb);
      }
      for (const line of help.split('\n')) expect(line.length).toBeLessThan(260);
    },
  );

  it('has no examples of commands that are not there', () => {
    expect(Object.keys(EXAMPLES).toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted());
    // The parser that checks these lines refuses unknown words.
    expect(() => parseArguments('bulkhead run', {}, ['--jsn'])).toThrow('unknown option');
  });
});
