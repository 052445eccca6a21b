import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { harmlessSettings } from './git-settings.ts';

const BEFORE = '[core]\n\trepositoryformatversion = 0\n\tbare = false\n';
const REMOTE =
  '[remote "origin"]\n\turl = https://example.org/a.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n';

describe('harmlessSettings', () => {
  it('tells each setting that comes, goes or changes', () => {
    expect(harmlessSettings(BEFORE, BEFORE + REMOTE)).toEqual([
      'remote.origin.url = https://example.org/a.git',
      'remote.origin.fetch = +refs/heads/*:refs/remotes/origin/*',
    ]);
    expect(harmlessSettings(BEFORE + REMOTE, BEFORE)).toEqual([
      'remote.origin.url removed',
      'remote.origin.fetch removed',
    ]);
    const branch = '[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n[user]\n\tname = A B\n';
    expect(harmlessSettings(BEFORE, BEFORE + branch)).toHaveLength(3);
    expect(harmlessSettings(BEFORE, `; a remark\n${BEFORE}\n`)).toEqual([]);
  });

  it.each([
    '[core]\n\thooksPath = x\n',
    '[core]\n\tfsmonitor = ./x\n',
    '[CORE]\n\tsshCommand = x\n',
    '[alias]\n\tst = !x\n',
    '[include]\n\tpath = x\n',
    '[includeIf "gitdir:/"]\n\tpath = x\n',
    '[filter "x"]\n\tclean = x\n',
    '[remote "o"]\n\tuploadpack = x\n',
    '[remote "o"]\n\tvcs = x\n',
    '[remote "o"]\n\turl = ext::sh -c x\n',
    '[remote "o"]\n\turl = --upload-pack=x\n',
    '[remote "o"]\n\turl = "x" # y\n',
    '[remote "o"]\n\turl = a\\\n[core]\n\tpager = x\n',
    '[remote "o"] url = a\n',
    '[remote "o"]\n# a remark \\\n\tpushurl = x\n[core]\n\teditor = x\n',
    '[user]\n\tsigningkey = x\n',
    '[url "ext::x"]\n\tinsteadOf = https://\n',
    '[remote.o]\n\turl = a\n',
    '\turl = a\n',
    '[remote "o"]\r\n\turl = a\r\n',
  ])('knows nothing harmless in %j [FT14] [FT19]', (added) => {
    expect(harmlessSettings(BEFORE, added + BEFORE)).toBeUndefined();
    expect(harmlessSettings(BEFORE, BEFORE + added)).toBeUndefined();
  });

  it('judges nothing where the text before can’t be read either, or a dangerous setting goes or moves', () => {
    expect(harmlessSettings('[a', BEFORE)).toBeUndefined();
    expect(harmlessSettings(`${BEFORE}\thooksPath = /dev/null\n`, BEFORE)).toBeUndefined();
    expect(harmlessSettings('[a]\n\tx = 1\n\tx = 2\n', '[a]\n\tx = 2\n\tx = 1\n')).toBeUndefined();
  });

  it('takes no longer for long texts', () => {
    const msFor = (size: number): number => {
      const text = `[a]\n${'\tx = 1\n'.repeat(size / 5)}`.slice(0, size);
      const start = process.cpuUsage();
      harmlessSettings(text, `${text}${' '.repeat(size / 2)}x`);
      return process.cpuUsage(start).user / 1_000;
    };
    // Ten times the text takes about ten times as long, far from a hundred times, even on a busy
    // machine.
    const ratio = () => msFor(100_000) / Math.max(msFor(10_000), 1);
    expect(Math.min(ratio(), ratio(), ratio())).toBeLessThan(50);
  });

  it('names every changed key, whatever else there is', () => {
    const key = fc.constantFrom(
      'url',
      'pushurl',
      'fetch',
      'vcs',
      'uploadpack',
      'receivepack',
      'proxy',
      'tagopt',
    );
    fc.assert(
      fc.property(key, fc.stringMatching(/^[a-z0-9/.@]{1,20}$/), (name, value) => {
        const clauses = harmlessSettings(BEFORE, `${BEFORE}[remote "o"]\n\t${name} = ${value}\n`);
        const allowed = ['url', 'pushurl', 'fetch', 'tagopt'].includes(name);
        expect(clauses).toEqual(allowed ? [`remote.o.${name} = ${value}`] : undefined);
      }),
    );
  });
});
