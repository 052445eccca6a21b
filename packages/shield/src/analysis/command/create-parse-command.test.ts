import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createParseCommand } from './create-parse-command.ts';

const parseCommand = createParseCommand('/home/ada');

/** What is started, in words; a star marks what is more than words. */
function started(command: string): readonly string[] | undefined {
  return parseCommand(command)?.map(
    ({ words, plain }) => `${plain ? '' : '*'}${words.map((word) => word ?? '?').join(' ')}`,
  );
}

describe('the simple commands that a text starts [H1]', () => {
  it.each([
    ["ls 'a b' ~/c", ['ls a b /home/ada/c']],
    ['a | b && c; d &', ['a', 'b', 'c', 'd']],
    ['echo $(id -u)', ['id -u', 'echo ?']],
    ['sudo -u bob rm x', ['sudo -u bob rm x', 'rm x']],
    ["bash -c 'cd /; make all'", ['bash -c cd /; make all', 'cd /', 'make all']],
    ['if a; then b; else c; fi', ['a', 'b', 'c']],
    ['x=rm; $x y', ['*', 'rm y']],
    ['ls > out', ['*', 'ls']],
    ['{ ls; } > out', ['*', 'ls']],
    ['A=1 ls', ['*', 'ls']],
    ['$tool x', ['? x']],
    ['rm *', ['rm ?']],
    ['f() { rm y; }; f', ['f', 'rm y']],
  ])('%s', (command, commands) => {
    expect(started(command)).toEqual(commands);
  });

  it.each(['(ls', 'ls "', 'eval "$x"', 'x'.repeat(40_000)])('nobody can tell: %.20s', (command) => {
    expect(started(command)).toBeUndefined();
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => void parseCommand(text)),
      { numRuns: 500 },
    );
  });
});
