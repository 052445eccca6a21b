import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../command-table.ts';
import { dispatch } from '../dispatch.ts';
import { testEnvironment } from '../testing/test-environment.ts';
import { testHome } from '../testing/test-home.ts';

async function script(shell: string): Promise<string> {
  using home = testHome();
  const environment = testEnvironment(home.layout);
  expect(await dispatch(['completion', shell], environment)).toBe(0);
  return environment.out();
}

describe('completion in a real bash [I1]', () => {
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bulkhead-completion-'));
    mkdirSync(join(folder, 'place'));
    writeFileSync(join(folder, 'paper'), '');
    writeFileSync(join(folder, '.completion'), await script('bash'));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Completions of bash for Tab after the last word. */
  function offered(...words: readonly string[]): readonly string[] {
    const program = `set -u; source .completion
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _bulkhead; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const args = ['--norc', '--noprofile', '-c', program, 'bash', 'bulkhead', ...words];
    const out = execFileSync('bash', args, { cwd: folder, encoding: 'utf8', timeout: 60_000 });
    return out.split('\n').filter((line) => line !== '');
  }

  it.each([
    [['ses'], ['sessions']],
    [['sessions', 'e'], ['export']],
    [['sessions', 'export', ''], []],
    [
      ['sessions', '--fo'],
      ['--focus', '--format', '--force'],
    ],
    [
      ['run', '--approve', ''],
      ['deny', 'ask', 'allow'],
    ],
    [['run', '--cwd', 'p'], ['place']],
    [
      ['shield', 'eval', '--policy', 'p'],
      ['paper', 'place'],
    ],
    [['--profile', 'default', 'mem'], ['memory']],
    [['memory', '--limit', '3', 'sea'], ['search']],
    [['logs', '-n', ''], []],
    [['help', 'doc'], ['doctor']],
    [['--v'], ['--version']],
    [['nonsense', ''], []],
  ])('offers after %j: %j', (words, ways) => {
    expect(offered(...words).toSorted()).toEqual(ways.toSorted());
  });

  it('knows every command, and every option of each as its help tells them', async () => {
    expect(offered('')).toEqual(['help', ...COMMANDS.map(({ name }) => name)]);
    for (const { name, load } of COMMANDS) {
      const options = Object.entries((await load()).options).filter(([, { about }]) => about !== '');
      const own = options.map(([option]) => `--${option}`);
      expect(offered(name, '-')).toEqual([...own, '--help', '--profile']);
    }
  });
});

it.each(['zsh', 'fish'])('%s gets every command and option, harmlessly quoted [I1]', async (shell) => {
  const text = await script(shell);
  for (const { name, about, load } of COMMANDS) {
    expect(text).toContain(name);
    expect(text).toContain(about.replaceAll("'", shell === 'fish' ? "\\'" : "'\\''"));
    for (const [option, { about: said }] of Object.entries((await load()).options)) {
      if (said === '') continue;
      expect(text).toContain(shell === 'fish' ? `-l ${option}` : `--${option}[`);
    }
  }
  // No quote is left open: bash reads the quotes of both shells alike, except fish's own escape.
  const quotes = text.replaceAll(shell === 'fish' ? /\\['\\]/g : /'\\''/g, '').split("'").length - 1;
  expect(quotes % 2).toBe(0);
});

it('asks for a shell it knows', async () => {
  using home = testHome();
  const environment = testEnvironment(home.layout);
  expect(await dispatch(['completion', 'tcsh'], environment)).toBe(2);
  expect(environment.err()).toContain('bash, zsh or fish');
});
