import { spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BoxFixture, boxFixture, NOBODY } from '../testing/box-fixture.ts';
import { type OverlayEnd, type OverlayRun, runOnOverlay } from '../testing/overlay-run.ts';

let fixture: BoxFixture;
let work: string;
let scratch: string;
let runs = 0;
beforeAll(async () => {
  fixture = await boxFixture();
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});
beforeEach(() => {
  runs += 1;
  [work, scratch] = [`${fixture.folder}/w${runs}`, `${fixture.folder}/s${runs}`];
  for (const folder of ['a/b', 'c']) mkdirSync(`${work}/${folder}`, { recursive: true });
  for (const name of ['f', 'g', 'a/x', 'a/b/y', 'c/x'])
    writeFileSync(`${work}/${name}`, `${name} at first\n`);
});

const onCopy = (command: string, changes: Partial<OverlayRun> = {}): Promise<OverlayEnd> =>
  runOnOverlay({
    launcherPath: fixture.launcherPath,
    work,
    scratch,
    command,
    options: ['--copy'],
    verdict: 'commit',
    ...changes,
  });
const textOf = (name: string): string => readFileSync(`${work}/${name}`, 'utf8');
const python = (lines: string): string => `python3 -c '${lines}'`;
const isRoot = process.getuid?.() === 0;

describe('a command on a copy', () => {
  it('renames existing folders, which an overlay can not [B2]', async () => {
    const end = await onCopy(
      python('import os; os.rename("a", "t"); os.rename("c", "a"); os.rename("t", "c")'),
    );
    expect(end.answer, end.stdout + end.stderr).toBe('committed');
    expect([textOf('a/x'), textOf('c/x'), textOf('c/b/y')]).toEqual([
      'c/x at first\n',
      'a/x at first\n',
      'a/b/y at first\n',
    ]);
    expect(existsSync(`${work}/a/b`)).toBe(false);
  });

  it('is not led astray by an inode number that is used again for another kind of object', async () => {
    const end = await onCopy('rm f && mkdir f && echo n > f/n; rm -r a && echo n > a; rm g && ln -s f g');
    expect(end.answer).toBe('committed');
    expect([textOf('f/n'), textOf('a'), textOf('g/n')]).toEqual(['n\n', 'n\n', 'n\n']);
  });

  it('changes what is one file under all its names, and lists nothing that it let be', async () => {
    linkSync(`${work}/f`, `${work}/other`);
    linkSync(`${work}/g`, `${work}/a/linked`);
    const end = await onCopy('echo more >> f; cat g a/linked > /dev/null');
    expect(end.answer).toBe('committed');
    expect([textOf('f'), textOf('other')]).toEqual(['f at first\nmore\n', 'f at first\nmore\n']);
    expect(statSync(`${work}/f`).ino).toBe(statSync(`${work}/other`).ino);
    expect(end.records.filter((record) => record.startsWith('change '))).toHaveLength(2);
  });

  it('sees the folder as it was when it began, times and attributes included', async () => {
    utimesSync(`${work}/a/x`, 1_000_000_000, 1_000_000_000);
    utimesSync(`${work}/c`, 1_000_000_001, 1_000_000_001);
    const { status } = spawnSync('python3', [
      '-c',
      `import os; os.setxattr("${work}/f", "user.note", b"kept")`,
    ]);
    const end = await onCopy(
      `stat -c %Y a/x c; ${python('import os; print(*os.listxattr("f"))')}; echo ready; read -r _; cat g; echo more >> f`,
      { whileRunning: () => writeFileSync(`${work}/g`, 'the user was here\n') },
    );
    const attribute = status === 0 ? 'user.note' : '';
    expect(end.stdout).toBe(`1000000000\n1000000001\n${attribute}\nready\ng at first\n`);
    expect(end.answer).toBe('committed');
    expect([textOf('f'), textOf('g')]).toEqual(['f at first\nmore\n', 'the user was here\n']);
    const after = spawnSync('python3', ['-c', `import os; print(*os.listxattr("${work}/f"))`]);
    expect(after.stdout.toString().trim()).toBe(attribute);
  });

  it('does not see pipes, and never takes one away that it did not see', async () => {
    spawnSync('mkfifo', [`${work}/pipe`, `${work}/a/pipe`]);
    const end = await onCopy('ls; echo c > a/x');
    expect(end.stdout).toBe('a\nc\nf\ng\n');
    expect(end.answer).toBe('committed');
    expect(existsSync(`${work}/pipe`) && existsSync(`${work}/a/pipe`)).toBe(true);
  });

  it('can forge no mark that hides what it changed', async () => {
    const forge = [
      'import os',
      'os.makedirs("n/deep"); open("n/deep/planted", "w").write("x"); open("n/empty", "w")',
      'mark = lambda path, name: os.setxattr(path, "user.overlay." + name, b"y")',
      'mark("n", "opaque"); mark("n/deep", "whiteout"); mark("n/empty", "whiteout"); mark("a", "opaque")',
      'open("a/x", "w").write("changed"); mark("a/x", "whiteout"); mark("a/x", "origin"); mark("f", "whiteout")',
    ].join('\n');
    const end = await onCopy(python(forge));
    const listed = end.records.filter((record) => record.startsWith('change ')).join('\n');
    expect(listed).toMatch(/created file .* n\/deep\/planted/);
    expect(listed).toMatch(/changed file .* a\/x/);
    expect(end.answer).toBe('committed');
    expect([textOf('a/x'), textOf('a/b/y'), textOf('f')]).toEqual([
      'changed',
      'a/b/y at first\n',
      'f at first\n',
    ]);
  });

  it.runIf(isRoot)('changes what belongs to somebody else for root alone, and it stays theirs', async () => {
    chownSync(`${work}/f`, NOBODY, NOBODY);
    const other = "setpriv --reuid=12 --regid=12 --clear-groups bash -c 'echo d >> f'";
    const end = await onCopy(`${other}; echo c >> f; echo c >> g`);
    expect(end.stderr).toContain('Permission denied');
    expect(end.answer).toBe('committed');
    expect(statSync(`${work}/f`)).toMatchObject({ uid: NOBODY, gid: NOBODY });
    expect(textOf('f')).toBe('f at first\nc\n');
    expect(textOf('g')).toBe('g at first\nc\n');
  });

  it.runIf(isRoot)('drops a change of what an ordinary user reads and does not own', async () => {
    const home = `${fixture.folder}/user${runs}`;
    const through = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
    for (const path of [home, `${home}/w`]) {
      mkdirSync(path);
      chownSync(path, NOBODY, NOBODY);
    }
    writeFileSync(`${home}/w/theirs`, 'theirs\n');
    const end = await onCopy('echo c >> theirs', {
      work: `${home}/w`,
      scratch: `${home}/s`,
      through,
      owner: NOBODY,
    });
    expect(end.records).toContain('problem not-yours theirs');
    expect(end.answer).toBe('dropped');
    expect(readFileSync(`${home}/w/theirs`, 'utf8')).toBe('theirs\n');
  });
});

describe('a copy has bounds, and what goes beyond refuses the launch', () => {
  // In memory, because many files are slow on a shared disk.
  it.runIf(existsSync('/dev/shm'))('50,000 names', async () => {
    const folder = mkdtempSync('/dev/shm/bulkhead-copy-');
    try {
      mkdirSync(`${folder}/w`);
      spawnSync('/bin/bash', ['-c', 'seq 50001 | xargs touch'], { cwd: `${folder}/w` });
      const end = await onCopy('echo c > 1', { work: `${folder}/w`, scratch: `${folder}/s` });
      expect([end.code, end.stderr, end.records]).toEqual([
        125,
        'bulkhead-launcher: copy the working folder: more than 50000 files and folders in it\n',
        [],
      ]);
      expect(statSync(`${folder}/w/1`).size).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  const shares = () => {
    const [from, to] = [`${work}/f`, `${work}/shared`];
    return spawnSync('cp', ['--reflink=always', from, to]).status === 0;
  };

  it('64 MiB that are not shared', async ({ skip }) => {
    if (shares()) skip('this file system shares contents');
    writeFileSync(`${work}/a/large`, '');
    truncateSync(`${work}/a/large`, 64 * 1024 ** 2 + 1);
    const end = await onCopy('echo c > f');
    expect([end.code, end.stderr]).toEqual([
      125,
      'bulkhead-launcher: copy the working folder: its disk shares no contents, and it holds more than 64 MiB, up to a/large\n',
    ]);
    expect(textOf('f')).toBe('f at first\n');
  });
});
