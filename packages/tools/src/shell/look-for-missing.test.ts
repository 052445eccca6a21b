import { describe, expect, it } from 'vitest';
import { lookForMissing, missingNotes, missingPrograms } from './look-for-missing.ts';
import type { MissingThings } from './started-command.ts';

const ENDED = { code: 127, signal: null, stopped: undefined } as const;

describe('missingPrograms', () => {
  it.each([
    ['/bin/bash: line 1: cargo: command not found\n', ['cargo']],
    ['/bin/sh: 1: go: not found\nmake: *** [Makefile:2: all] Error 127\n', ['go']],
    ['/usr/bin/env: ‘node’: No such file or directory\n', ['node']],
    ["env: 'python3.9': No such file or directory\n", ['python3.9']],
    ['make: uv: No such file or directory\n', ['uv']],
    ['sh: a: not found\nsh: b: not found\nsh: a: not found\n', ['a', 'b']],
    ['bash: line 1: ./run.sh: No such file or directory\n', []],
    ['bash: line 1: ../../.ssh/id: command not found\n', []],
    ['the page was not found\n404: not found in cache\n', []],
    ['cat: notes: No such file or directory\n', []],
  ])('reads %j', (output, names) => {
    expect(missingPrograms(output)).toEqual(names);
  });

  it('reads a bounded number of names from the end of the output', () => {
    const lines = Array.from({ length: 5_000 }, (_, at) => `sh: p${at}: not found\n`).join('');
    expect(missingPrograms(lines)).toHaveLength(8);
    expect(missingPrograms(`sh: early: not found\n${'x\n'.repeat(20_000)}`)).toEqual([]);
  });
});

describe('lookForMissing', () => {
  it('looks only where a command failed, was not stopped, and reports a program', async () => {
    const asked: (readonly string[])[] = [];
    const lookFor = async ({ programs }: MissingThings) => {
      asked.push(programs);
      return { needs: [], refused: [] };
    };
    const output = 'sh: cargo: not found\n';
    await lookForMissing({ lookFor }, { ...ENDED, code: 0 }, 'x', output);
    await lookForMissing({ lookFor }, { ...ENDED, stopped: 'timeout' }, 'x', output);
    await lookForMissing({ lookFor }, ENDED, 'x', 'error\n');
    expect(asked).toEqual([]);
    await lookForMissing({ lookFor }, { ...ENDED, code: 2 }, 'x', output);
    expect(asked).toEqual([['cargo']]);
  });

  it('never takes a result away: what it can not look at, it names', async () => {
    const lookFor = () => Promise.reject(new Error('EACCES: permission denied'));
    expect(await lookForMissing({ lookFor }, ENDED, 'x', 'sh: cargo: not found\n')).toEqual({
      needs: [],
      refused: [expect.stringContaining('EACCES')],
    });
  });
});

it('names the folder that a command needs, and why another is refused, on lines of their own', () => {
  const needs = [{ kind: 'toolchain' as const, target: '/home/ada/.cargo/bin', identity: '1' }];
  const folder = { kind: 'folder' as const, target: '/home/ada/code', identity: '1' };
  expect(
    missingNotes({ needs: [folder, { ...folder, target: '/home/ada', write: true }], refused: [] }),
  ).toEqual([
    "needs the folder /home/ada/code, which commands read only with the user's permission",
    "needs to change the folder /home/ada, which commands change only with the user's permission",
  ]);
  expect(missingNotes({ needs, refused: ['a\nb'] })).toEqual([
    expect.stringMatching(/^needs programs in the toolchain folder \/home\/ada\/\.cargo\/bin, /),
    expect.not.stringContaining('\n'),
  ]);
});
