import { execFileSync } from 'node:child_process';
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import type { ObservedChange } from '@bulkhead/protocol';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withLosses } from './lost-contents.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(`${tmpdir()}/bulkhead-losses-`);
  mkdirSync(`${root}/work`);
});
afterEach(() => rmSync(root, { recursive: true }));

const GIT = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'n',
  GIT_AUTHOR_EMAIL: 'e@example.org',
  GIT_COMMITTER_NAME: 'n',
  GIT_COMMITTER_EMAIL: 'e@example.org',
};

function bash(folder: string, script: string): void {
  execFileSync('bash', ['-ec', script], { cwd: folder, env: { ...process.env, ...GIT }, stdio: 'ignore' });
}

/** Folders by the script that made them; a linked worktree names its own place. */
const made = new Map<string, string>();
afterAll(() => {
  for (const folder of made.values()) rmSync(folder, { recursive: true });
});

function prepare(work: string, setUp: string): void {
  if (setUp.includes('worktree')) {
    bash(work, setUp);
    return;
  }
  const template = made.get(setUp) ?? mkdtempSync(`${tmpdir()}/bulkhead-losses-`);
  if (!made.has(setUp)) bash(template, setUp);
  made.set(setUp, template);
  cpSync(template, work, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
}

/** The losses by a script in a folder that the first one made: `WHAT COUNT` by path. */
async function losses(setUp: string, script: string): Promise<Record<string, string>> {
  const [work, upper] = [`${root}/work`, `${root}/upper`];
  prepare(work, setUp);
  cpSync(work, upper, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  bash(upper, script);
  const changes = changesOf(work, upper);
  const { lost = [] } = await withLosses({ status: 0, changes, problems: [], notes: [] }, { work, upper });
  return Object.fromEntries(
    lost.map(({ path, what, count }) => [Buffer.from(path).toString(), `${what} ${count}`]),
  );
}

const total = async (setUp: string, script: string): Promise<number> =>
  Object.values(await losses(setUp, script)).reduce((sum, text) => sum + Number(text.split(' ')[1]), 0);

function treeOf(folder: string): Map<string, { kind: ObservedChange['kind']; size: number; text: string }> {
  const found = new Map<string, { kind: ObservedChange['kind']; size: number; text: string }>();
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const facts = lstatSync(`${folder}/${path}`);
    const kind = facts.isDirectory() ? 'folder' : facts.isSymbolicLink() ? 'link' : 'file';
    const text =
      kind === 'folder'
        ? ''
        : kind === 'link'
          ? readlinkSync(`${folder}/${path}`)
          : readFileSync(`${folder}/${path}`).toString('latin1');
    found.set(path, { kind, size: facts.size, text });
  }
  return found;
}

function changesOf(work: string, upper: string): ObservedChange[] {
  const [before, after] = [treeOf(work), treeOf(upper)];
  const missing = { kind: 'missing', size: 0, text: '' } as const;
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((path) => {
    const [was, now] = [before.get(path) ?? missing, after.get(path) ?? missing];
    if (was.kind === now.kind && was.text === now.text) return [];
    const what =
      was.kind === 'missing'
        ? 'created'
        : now.kind === 'missing'
          ? 'deleted'
          : was.kind === now.kind
            ? 'changed'
            : 'replaced';
    const sizes = { size: now.size, wasSize: was.size };
    return [
      {
        path: Buffer.from(path),
        what,
        kind: now.kind,
        was: was.kind,
        mode: 0,
        wasMode: 0,
        ...sizes,
        links: 1,
      },
    ];
  });
}

const FILES = 'mkdir d; for n in 1 2 3 4 5; do echo "content of number $n" > d/$n; done; ln -s 1 d/link';
const REPOSITORY = `${FILES}; git init -qb main; git add .; git commit -qm first`;

describe('a content that goes [FG6] [B2]', () => {
  it.each([
    ['deleted', 'rm d/1', { 'd/1': 'deleted 1' }],
    ['emptied', ': > d/1', { 'd/1': 'overwritten 1' }],
    ['overwritten', 'echo anything else > d/1', { 'd/1': 'overwritten 1' }],
    ['encrypted', "tr 'a-z0-9' 'n-za-m3-90-2' < d/1 > x; mv x d/1", { 'd/1': 'overwritten 1' }],
    ['deleted while a likeness stays', 'sed s/1/9/ d/1 > copy; rm d/1', { 'd/1': 'deleted 1' }],
    ['a link', 'rm d/link', { 'd/link': 'deleted 1' }],
    ['moved to where no loss counts', 'mkdir build; mv d/1 build/', { 'd/1': 'deleted 1' }],
    ['moved into .git', 'mkdir -p .git/x; mv d/1 d/2 .git/x', { 'd/1': 'deleted 1', 'd/2': 'deleted 1' }],
    ['that became a folder', 'rm d/1; mkdir d/1', { 'd/1': 'overwritten 1' }],
  ])('counts: %s', async (_, script, expected) => {
    expect(await losses(FILES, script)).toEqual(expected);
  });

  it.each([
    ['moved', 'mv d/1 d/one'],
    ['with its folder', 'mv d e'],
    ['copied first', 'cp -r d e; rm -r d'],
    ['swapped', 'mv d/1 x; mv d/2 d/1; mv x d/2'],
    ['moved over another name', 'cp d/1 d/6; cp d/2 d/7; mv d/6 d/2; mv d/7 d/1'],
    ['a moved link', 'mv d/link d/other'],
    ['edited', 'sed -i s/number/no/ d/?'],
    ['written to', 'echo more >> d/1'],
    ['reformatted', `sed -i 's/ /\\n    /g' d/1 d/2`],
  ])('counts not: %s', async (_, script) => {
    expect(await losses(FILES, script)).toEqual({});
  });
});

describe('a content that git holds [B2]', () => {
  it.each([
    ['removed with git', 'git rm -rq d'],
    ['removed and committed', 'git rm -rq d; git commit -qm gone'],
    ['overwritten', 'for f in d/?; do echo x > $f; done'],
    ['packed', 'git gc -q; rm -r d'],
    [
      'on a branch',
      'git switch -qc side; echo x > new; git add new; git commit -qm new; git switch -q main; rm -r d',
    ],
    ['in the stash', 'echo "some more work" > d/1; git stash -q'],
    ['in the reflog', 'git rm -q d/1; git commit -q --amend -m none --allow-empty; git reset -q --hard'],
  ])('is not lost: %s', async (_, script) => {
    expect(await losses(REPOSITORY, script)).toEqual({});
  });

  it('is found at an older commit, in a linked worktree, and under a name that moved', async () => {
    const moved = `${REPOSITORY}; for n in 1 2 3; do echo "step $n" > s; git add s; git commit -qm $n; done`;
    expect(
      await losses(`${moved}; git checkout -q HEAD~2 -- s; mkdir e; git mv d/1 e/1`, 'rm s e/1'),
    ).toEqual({});
  });

  it('is found from a worktree inside the folder', async () => {
    const tree = `${REPOSITORY}; git worktree add -q trees/side -b side; cd trees/side; echo "on the side" > x; git add x; git commit -qm x`;
    expect(await losses(tree, 'rm -r trees .git/worktrees')).toEqual({});
  });

  it('does not count below what programs make', async () => {
    expect(await losses(`${FILES}; mkdir -p build/made; mv d/? build/made`, 'rm -r build')).toEqual({});
    // Only if it was made there: content that is moved there is lost by the move, since its removal is not counted.
    rmSync(root, { recursive: true });
    mkdirSync(`${root}/work`, { recursive: true });
    expect(await total(FILES, 'mkdir build; mv d build/')).toBe(6);
    rmSync(root, { recursive: true });
    mkdirSync(`${root}/work`, { recursive: true });
    expect(await losses(`${FILES}; mkdir build; mv d build/`, 'mv build/d .')).toEqual({});
  });

  it('is lost if it was never added, or if the repository goes as well', async () => {
    expect(await losses(`${REPOSITORY}; echo "only here" > d/new`, 'rm -r d')).toEqual({
      'd/new': 'deleted 1',
    });
    rmSync(root, { recursive: true });
    mkdirSync(`${root}/work`, { recursive: true });
    expect(await total(REPOSITORY, 'rm -rf d .git/objects')).toBeGreaterThan(6);
  });

  it('is lost if what git holds is only called like it', async () => {
    const forged = 'for f in $(find .git/objects -type f); do chmod u+w $f; echo forged > $f; done; rm -r d';
    expect(await total(REPOSITORY, forged)).toBeGreaterThan(12);
  });
});

describe('history of a repository [B2]', () => {
  const LONG = `${REPOSITORY}; for n in $(seq 6); do echo "step $n" > s; git add s; git commit -qm $n; done`;

  it.each([
    ['packed', 'git gc -q'],
    ['packed once more', 'git repack -adq'],
    ['pruned of what nothing reaches', 'git prune --expire=now'],
    ['with a branch less that was merged', 'git branch side HEAD~2; git branch -D side'],
    ['with refs packed', 'git branch a; git branch b; git pack-refs --all'],
    ['set back', 'git reset -q --hard HEAD~3'],
    ['rebased', 'git rebase -q --onto HEAD~4 HEAD~2 main -X theirs'],
  ])('is kept: %s', async (_, script) => {
    expect(await losses(`${LONG}; echo loose | git hash-object -w --stdin`, script)).toEqual({});
  });

  it('is lost with its objects, loose or packed, and with its last name', async () => {
    const again = async (setUp: string, script: string) => {
      rmSync(root, { recursive: true });
      mkdirSync(`${root}/work`, { recursive: true });
      return await total(setUp, script);
    };
    const loose = await again(LONG, 'rm -rf .git/objects/??');
    expect(loose).toBeGreaterThan(20);
    expect(await again(`${LONG}; git gc -q`, 'rm -f .git/objects/pack/*.pack')).toBe(loose);
    expect(await again(`${LONG}; git gc -q`, 'rm -f .git/objects/pack/*.idx')).toBe(loose);
    const side = `${LONG}; git switch -qc side; for n in 1 2 3; do git commit -qm $n --allow-empty; done; git switch -q main`;
    expect(await again(side, 'rm .git/refs/heads/side; rm -r .git/logs')).toBe(3);
    expect(await again(side, 'git branch -qD side')).toBe(0);
  });
});
