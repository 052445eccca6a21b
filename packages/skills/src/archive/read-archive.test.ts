import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeSkillFolder } from '../files/write-skill-folder.ts';
import { makeTar } from '../testing/make-tar.ts';
import { makeZip } from '../testing/make-zip.ts';
import { readArchive } from './read-archive.ts';

const SKILL = { path: 'x/SKILL.md', text: '---\nname: x\ndescription: d\n---\nbody' };
const asZip = { path: SKILL.path, content: SKILL.text };

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bulkhead-archive-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const pathsOf = async (archive: Buffer) => (await readArchive(archive)).files.map(({ path }) => path);

/** Names that point outside a folder, or that two systems read differently. */
const BAD_PATHS = [
  '../evil',
  'x/../../evil',
  '/etc/evil',
  'x//evil',
  'x/./evil',
  'x/..',
  '..\\evil',
  'C:evil',
  'x/evil.',
  'x/evil ',
  'x/a\u200bb',
  'x/a\u202eb',
  'x/a\nb',
  `x/${'a/'.repeat(9)}b`,
  'x/skill.MD',
];

describe('readArchive', () => {
  it.each([
    ['a text', Buffer.from('hi\n')],
    ['noise', Buffer.alloc(3_000, 0xa7)],
    ['nothing', Buffer.alloc(0)],
    ['a packed text', gzipSync(Buffer.from('hi\n'))],
  ])('says of %s that it is no archive, and which kinds there are [FT66]', async (_what, bytes) => {
    await expect(readArchive(bytes)).rejects.toThrow(
      'no archive of a kind that is known (.tar, .tar.gz, .zip)',
    );
  });

  it('reads tar, packed tar and zip, with and without one folder around all [SK2]', async () => {
    const long = `x/${'n'.repeat(80)}/${'m'.repeat(80)}.md`;
    const entries = [
      { path: 'x/', kind: '5' },
      SKILL,
      { path: 'x/run.sh', text: 'echo', mode: 0o755 },
      { path: '././@LongLink', kind: 'L', text: `${long}\0` },
      { path: 'cut', text: 'long' },
      { path: 'pax', kind: 'x', text: '25 path=x/sub/by-pax.txt\n' },
      { path: 'cut', text: 'pax' },
    ];
    const wanted = ['SKILL.md', long.slice(2), 'run.sh', 'sub/by-pax.txt'];
    expect(await pathsOf(makeTar(entries))).toEqual(wanted);
    expect(await pathsOf(gzipSync(makeTar(entries)))).toEqual(wanted);
    const files = await readArchive(makeTar(entries));
    expect(files.get('run.sh')?.executable).toBe(true);
    expect(files.get('SKILL.md')?.executable).toBe(false);
    const zip = makeZip([
      { path: 'SKILL.md', content: SKILL.text },
      { path: 'a/b.md', content: 'b', stored: true },
    ]);
    expect(await pathsOf(zip)).toEqual(['SKILL.md', 'a/b.md']);
    expect((await readArchive(makeZip([asZip]))).hash()).toBe((await readArchive(makeTar([SKILL]))).hash());
  });

  it.each(BAD_PATHS)('refuses the name %j, whole and in every format [FT66]', async (path) => {
    const refused = { code: 'blocked' };
    await expect(readArchive(makeTar([SKILL, { path, text: 'x' }]))).rejects.toMatchObject(refused);
    await expect(readArchive(makeZip([asZip, { path, content: 'x' }]))).rejects.toMatchObject(refused);
    const byName = [
      { path: 'l', kind: 'L', text: `${path}\0` },
      { path: 'ok', text: 'x' },
    ];
    await expect(readArchive(makeTar([SKILL, ...byName]))).rejects.toMatchObject(refused);
    const record = `path=${path}\n`;
    const length = Buffer.byteLength(record) + 3;
    const byPax = [
      { path: 'p', kind: 'x', text: `${length} ${record}` },
      { path: 'ok', text: 'x' },
    ];
    await expect(readArchive(makeTar([SKILL, ...byPax]))).rejects.toMatchObject(refused);
  });

  it.each([
    ['a symbolic link', makeTar([SKILL, { path: 'x/l', kind: '2', link: '/etc/passwd' }])],
    ['a hard link', makeTar([SKILL, { path: 'x/l', kind: '1', link: 'x/SKILL.md' }])],
    ['a device', makeTar([SKILL, { path: 'x/l', kind: '3' }])],
    ['a pipe', makeTar([SKILL, { path: 'x/l', kind: '6' }])],
    ['a sparse file', makeTar([SKILL, { path: 'x/l', kind: 'S' }])],
    ['a header for all that follow', makeTar([{ path: 'g', kind: 'g', text: '17 path=../evil\n' }, SKILL])],
    ['a size by pax', makeTar([{ path: 'p', kind: 'x', text: '10 size=1\n' }, SKILL])],
    ['a name twice', makeTar([SKILL, SKILL])],
    ['a file that is also a folder', makeTar([SKILL, { path: 'x/SKILL.md/y', text: 'y' }])],
    ['a size beyond the end', makeTar([SKILL, { path: 'x/big', size: 0o7777777777 }])],
    ['a linked zip entry', makeZip([asZip, { path: 'x/l', content: '/etc/passwd', mode: 0o120777 }])],
    ['a zip entry of two names', makeZip([asZip, { path: 'x/a', localPath: 'x/../b' }])],
    [
      'a zip entry that lies about its size',
      makeZip([asZip, { path: 'x/a', content: 'a'.repeat(1_000), size: 10 }]),
    ],
    ['an encrypted zip entry', makeZip([asZip, { path: 'x/a', flags: 1 }])],
    ['two zip entries of one name', makeZip([asZip, asZip])],
    ['a cut zip', makeZip([asZip]).subarray(0, 60)],
    ['a tar of garbage', Buffer.alloc(2_048, 'x')],
    ['a damaged pack', gzipSync(makeTar([SKILL])).subarray(0, 60)],
  ])('refuses %s [FT66]', async (_name, archive) => {
    await expect(readArchive(archive)).rejects.toMatchObject({ code: 'blocked' });
  });

  it('stops a bomb at its cap, whatever it claims [FT66]', async () => {
    const zeros = Buffer.alloc(64 * 1024 * 1024);
    const before = process.memoryUsage.rss();
    await expect(
      readArchive(gzipSync(makeTar([SKILL, { path: 'x/z', text: zeros.toString() }]))),
    ).rejects.toThrow(/unpacks to more/);
    await expect(readArchive(makeZip([asZip, { path: 'x/z', content: zeros }]))).rejects.toThrow(
      /more than 32 MiB/,
    );
    await expect(readArchive(makeZip([asZip, { path: 'x/z', content: zeros, size: 1 }]))).rejects.toThrow(
      /larger than it says/,
    );
    const half = { content: zeros.subarray(0, 17 * 1024 * 1024) };
    await expect(
      readArchive(
        makeZip([
          { path: 'a', ...half },
          { path: 'b', ...half },
        ]),
      ),
    ).rejects.toThrow(/more than 32 MiB/);
    await expect(readArchive(Buffer.alloc(50 * 1024 * 1024))).rejects.toThrow(/larger than/);
    expect(process.memoryUsage.rss() - before).toBeLessThan(1024 * 1024 * 1024);
  });

  it('stops at 2,000 files, also of a million [FT66]', async () => {
    const many = Array.from({ length: 2_001 }, (_, at) => ({ path: `x/${at}`, text: '' }));
    await expect(readArchive(makeTar(many))).rejects.toThrow(/more than 2000 files/);
    await expect(readArchive(makeZip(many.map(({ path }) => ({ path }))))).rejects.toThrow(
      /more than 2000 files/,
    );
    const block = makeTar([{ path: 'x/', kind: '5' }]).subarray(0, 512);
    const million = Buffer.concat(Array.from({ length: 70_000 }, () => block));
    await expect(readArchive(million)).rejects.toThrow(/too many entries/);
    expect((await readArchive(makeTar(many.slice(1)))).files).toHaveLength(2_000);
  });

  it('writes what it took to one folder, and nothing anywhere else [FT66]', async () => {
    const files = await readArchive(makeTar([SKILL, { path: 'x/bin/run.sh', text: 'echo', mode: 0o755 }]));
    const skills = join(root, 'skills');
    expect(writeSkillFolder(skills, 'x', files)).toBe(false);
    expect(writeSkillFolder(skills, 'x', files)).toBe(true);
    expect(readdirSync(root)).toEqual(['skills']);
    expect(readdirSync(skills)).toEqual(['x']);
    expect(readFileSync(join(skills, 'x/bin/run.sh'), 'utf8')).toBe('echo');
    expect(statSync(join(skills, 'x/bin/run.sh')).mode & 0o777).toBe(0o700);
    expect(statSync(join(skills, 'x/SKILL.md')).mode & 0o777).toBe(0o600);
  });

  it('takes or refuses whatever bytes there are, without harm [FT66]', async () => {
    const good = [makeTar([SKILL]), makeZip([asZip]), gzipSync(makeTar([SKILL]))];
    const change = fc.tuple(fc.nat(2), fc.nat(5_000), fc.nat(255), fc.nat(5_000));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const [which = 0] = changes[0] ?? [];
        let bytes = Buffer.from(good[which] ?? Buffer.alloc(0));
        for (const [, at, value, length] of changes) {
          bytes[at % bytes.length] = value;
          if (length % 5 === 0) bytes = bytes.subarray(0, 1 + (length % bytes.length));
        }
        try {
          for (const { path } of (await readArchive(bytes)).files)
            expect(path.split('/')).not.toContain('..');
        } catch (error) {
          expect(error).toMatchObject({ code: 'blocked' });
        }
      }),
      { numRuns: 150 },
    );
  });
});
