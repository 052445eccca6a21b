import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sweepOf } from '@bulkhead/testkit/sweep';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GitSetting, readGitConfig, writeGitSetting } from './read-git-config.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-git-config-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The settings that git itself reads, `key=value` or `key`; undefined if it refuses the text. */
function readByGit(text: string): readonly string[] | undefined {
  const path = join(folder, 'config');
  writeFileSync(path, text);
  const { status, stdout } = spawnSync('git', ['config', '--no-includes', '--list', '-z', '-f', path], {
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
    encoding: 'utf8',
  });
  if (status !== 0) return undefined;
  return stdout.split('\0').slice(0, -1);
}

function asGitLists({ section, subsection, name, value }: GitSetting): string {
  const parts = [section, ...(subsection === undefined ? [] : [subsection]), name];
  const key = (section === '' ? parts.slice(1) : parts).join('.');
  return `${key}${value === undefined ? '' : `\n${value}`}`;
}

describe('readGitConfig', () => {
  it.each([
    ['quotes, escapes and remarks', '[a]\n\tx = "b # c" # d\n\ty = e\\"\\\\\\t\\n ; f\n'],
    ['names alone, and empty values', '[a]\n\tx\n\ty =\n\tz = ""\n'],
    ['sections in any case, subsections as written', '[A "b.C\\"\\\\d"]\n\tXy-z = 1\n[A "B"] \n x=2'],
    ['a line that continues', '[a]\n\tx = b \\\n   c\n\ty = d\n'],
    ['an old form of subsections', '[A.B]\n\tx = 1\n[a.B "C"]\n\tx = 2\n'],
    ['a setting behind its section', '[a] x = 1\n[b "c"] y = 2 [d]\n'],
    ['a byte order mark and returns', '\ufeff[a]\r\n\tx = b\r\n\ty = c\rd\r\n'],
    ['a remark with a backslash at its end', '[a]\n# b \\\n\tx = 1 ; c \\\n\ty = 2\n'],
    ['a quoted line end', '[a]\n\tx = "b \\\nc"\n'],
    ['spaces within', '[a]\n\tx = b   c\t \n\ty = "" d\n'],
    ['no last line end', '[a]\nx = 1'],
    ['nothing', ''],
  ])('reads as git does: %s', (_what, text) => {
    const read = readByGit(text);
    expect(read).toBeDefined();
    expect(readGitConfig(text).settings.map(asGitLists)).toEqual(read);
  });

  it.each([
    '[a',
    '[a]\nx = "b\n',
    '[a]\nx = \\q\n',
    '[a]\n1x = 2\n',
    '[a "b]\n',
    '[a b]\n',
    '[a]\nx y\n',
    '[a "b"c]\n',
  ])('finds no plain text in what git refuses: %j', (text) => {
    expect(readByGit(text)).toBeUndefined();
    expect(readGitConfig(text).isPlain).toBe(false);
  });

  it.each([
    '\ufeff[a]\n\tx = 1\n',
    '[a]\r\n\tx = 1\r\n',
    '[a]\n\tx = 1\\\n2\n',
    '[a.b]\n\tx = 1\n',
    '[a] x = 1\n',
    '[a]\n\tx = b\tc\n',
    '[a]\n\tx = "b\u0000c"\n',
    '[a "b\\c"]\n\tx = 1\n',
    'x = 1\n',
    '[a][b]\n',
  ])('takes no text for plain that versions or readers could take otherwise: %j [FT14]', (text) => {
    expect(readGitConfig(text).isPlain).toBe(false);
  });

  it('takes what git itself writes for plain', () => {
    const path = join(folder, 'written');
    rmSync(path, { force: true });
    const set = (key: string, value: string) => execFileSync('git', ['config', '-f', path, key, value]);
    const values: readonly (readonly [string, string])[] = [
      ['user.name', ' Ada "the first" # 1 '],
      ['remote.o/p "q".url', 'https://example.org/a;b.git'],
      ['core.x', 'a\\b\nc\td'],
      ['branch.größe.merge', 'refs/heads/größe'],
    ];
    for (const [key, value] of values) set(key, value);
    const text = execFileSync('cat', [path], { encoding: 'utf8' });
    const { settings, isPlain } = readGitConfig(text);
    expect(isPlain).toBe(true);
    expect(settings.map(({ value }) => value)).toEqual(values.map(([, value]) => value));
  });

  it('agrees with git about any text, and is plain only if git accepts it [FT14]', () => {
    const piece = fc.constantFrom(
      ...[
        '[',
        ']',
        '"',
        '\\',
        '\n',
        ' ',
        '\t',
        '=',
        '#',
        ';',
        '.',
        '-',
        '\r',
        '\r\n',
        'a',
        'B',
        '1',
        'ü',
        '\u0001',
      ],
      ...['[core]\n', '[a "b"]\n', '\tx = ', '\tk\n', '\ty = "v" ', '[include]\n\tpath = x\n', '\\\n', '\\n'],
    );
    const text = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, (config) => {
        const byGit = readByGit(config);
        const { settings, isPlain } = readGitConfig(config);
        if (byGit === undefined) expect(isPlain).toBe(false);
        else expect(settings.map(asGitLists)).toEqual(byGit);
      }),
      { numRuns: sweepOf(60, 400) },
    );
  });

  it('takes time in proportion to the text', () => {
    const start = process.cpuUsage();
    for (const unit of ['[', '[a "', '[a]\n', 'x = ', '"', '\\', ' ', 'x = a \\\n'])
      readGitConfig(unit.repeat(60_000));
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(3_000);
  });
});

describe('writeGitSetting', () => {
  it('writes what git reads as the same', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', ' ', '"', '\\', '#', ';', '\n', '\t', 'ü'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(text, text, (value, sub) => {
        const setting = { section: 'a', subsection: sub.replaceAll('\n', ''), name: 'x', value };
        const written = writeGitSetting(setting);
        expect(readByGit(written)).toEqual([asGitLists(setting)]);
        expect(readGitConfig(written)).toEqual({ settings: [setting], isPlain: true });
      }),
      { numRuns: sweepOf(15, 100) },
    );
    const alone = { section: 'a', subsection: undefined, name: 'x', value: undefined };
    expect(readByGit(writeGitSetting(alone))).toEqual(['a.x']);
  });
});
