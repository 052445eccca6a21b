import { spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefusedByShell } from './analyse-command.ts';

/** True if a shell refuses it when only parsing. */
function refuses(command: string): boolean {
  return spawnSync('bash', ['-n', '-c', command], { stdio: 'ignore' }).status !== 0;
}

describe('a line that no shell runs', () => {
  it.each([
    ["ls '*.txt", true],
    ['grep "a b c', true],
    ['kill <pid>', true],
    ['head <name> | wc -l', true],
    ["it's done", true],
    ["ls '*.txt'", false],
    ['echo "it\'s"', false],
    ['cat <a >b', false],
    ['cat <a >|b', false],
    ['echo a >&2', false],
    ['echo \\"', false],
    ["echo $'a\\'b'", false],
    ['echo "$(echo ")")"', false],
    ["cat <<E\n'\nE", false],
    ["ls # it's", false],
  ])('%s: %s', (command, refused) => {
    expect(isRefusedByShell(command)).toBe(refused);
    if (refused) expect(refuses(command)).toBe(true);
  });

  it('bash refuses every listed command', () => {
    const piece = fc.constantFrom(
      'a',
      ' ',
      "'",
      '"',
      '\\',
      '<',
      '>',
      '|',
      '&',
      ';',
      '-',
      '2',
      '(',
      ')',
      '$x',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const command = `echo ${pieces.join('')}`;
        expect(isRefusedByShell(command) && !refuses(command), command).toBe(false);
      }),
      { numRuns: 400 },
    );
  });
});
