import { deleted, folder, observed } from '@bulkhead/home/testing';
import { describe, expect, it } from 'vitest';
import { judge, judgeText } from '../testing/judge.ts';

const COMMIT = { decision: 'commit' };
const ASK = { decision: 'ask', rule: 'effects/git-settings' };
const FORMAT =
  '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n';
const HOOKS = '[core]\n\thooksPath = evil\n';

describe('settings of a repository, by their content [FT14]', () => {
  const places = [
    '.git/config',
    'a/b/.git/config',
    '.git/config.worktree',
    '.git/modules/lib/config',
    '.git/modules/deep/lib/config',
    '.git/worktrees/w/config.worktree',
    '.git/config.lock',
  ];

  it.each(places)('pass if they are harmless, and ask with the lines if not: %s', (path) => {
    expect(judgeText(path, FORMAT)).toEqual(COMMIT);
    expect(judgeText(path, `${FORMAT}[remote "o"]\n\turl = https://example.org/a\n`, FORMAT)).toEqual(COMMIT);
    expect(judgeText(path, FORMAT, HOOKS + FORMAT)).toMatchObject(ASK);
    expect(judgeText(path, HOOKS + FORMAT, HOOKS)).toEqual(COMMIT);
    expect(judgeText(path, FORMAT + HOOKS)).toMatchObject({
      ...ASK,
      reason: `${path} would say: core.hookspath = evil`,
    });
    expect(judgeText(path, `${FORMAT}${HOOKS}`, FORMAT, { kind: 'link' })).toMatchObject({
      decision: 'drop',
    });
    expect(judgeText(path, FORMAT, FORMAT, { was: 'link' })).toMatchObject({ decision: 'drop' });
    expect(judgeText(path, `[a]\n\tx = ${'y'.repeat(4_000)}\n`, FORMAT)).toMatchObject({ decision: 'drop' });
  });

  it('name a worktree only within the working folder', () => {
    const worktree = (path: string) => judgeText('.git/modules/lib/config', `[core]\n\tworktree = ${path}\n`);
    for (const path of ['../../../lib', '/project/lib', '../../../a/../b'])
      expect(worktree(path), path).toEqual(COMMIT);
    for (const path of ['../../../../lib', '/etc', '/project/../etc', '/projects/x', '../../..'])
      expect(worktree(path), path).toMatchObject(ASK);
  });

  it('of a repository under another name count as well', () => {
    const of = (text: string) => {
      const changes = ['bare/HEAD', 'bare/config'].map((path) => observed(path));
      return judge(changes, 100, [], [], new Map([['bare/config', { before: undefined, after: text }]]));
    };
    expect(of(FORMAT + HOOKS)).toMatchObject({
      findings: expect.arrayContaining([expect.stringContaining('evil')]),
    });
    const known = (text: string) =>
      judge(
        [observed('bare/config')],
        100,
        ['bare'],
        [],
        new Map([['bare/config', { before: undefined, after: text }]]),
      );
    expect(known(FORMAT)).toEqual(COMMIT);
    expect(known(HOOKS)).toMatchObject(ASK);
  });

  it('of submodules pass with plain addresses, and ask otherwise', () => {
    const modules = (more: string) =>
      judgeText('.gitmodules', `[submodule "a"]\n\tpath = a\n\turl = ../a\n${more}`);
    expect(modules('')).toEqual(COMMIT);
    expect(modules('\tupdate = !evil\n')).toMatchObject({ decision: 'ask' });
    expect(modules('\turl = ext::evil\n')).toMatchObject({ decision: 'ask' });
  });
});

describe('pointers to repositories and worktrees [FT14]', () => {
  it('pass within the working folder, where every change of the repository is judged', () => {
    const good: readonly (readonly [string, string])[] = [
      ['trees/side/.git', 'gitdir: /project/.git/worktrees/side\n'],
      ['lib/.git', 'gitdir: ../.git/modules/lib\n'],
      ['.git/worktrees/side/gitdir', '/project/trees/side/.git\n'],
      ['.git/worktrees/side/gitdir', '../../../trees/side/.git\n'],
      ['.git/worktrees/side/commondir', '../..\n'],
    ];
    for (const [path, text] of good) {
      expect(judgeText(path, text), path + text).toEqual(COMMIT);
      expect(judgeText(path, undefined, text), path + text).toEqual(COMMIT);
    }
    const others = ['HEAD', 'index', 'ORIG_HEAD', 'logs/HEAD', 'locked', 'refs/bisect/bad'];
    expect(judge(others.map((name) => observed(`.git/worktrees/side/${name}`)))).toEqual(COMMIT);
    expect(judge([observed('.git/worktrees/side', folder)])).toEqual(COMMIT);
  });

  it('ask with their text where they lead elsewhere', () => {
    for (const [path, text] of [
      ['trees/side/.git', 'gitdir: /elsewhere/.git/worktrees/side\n'],
      ['trees/side/.git', 'gitdir: /project/evil\n'],
      ['trees/side/.git', 'gitdir: ../../../.git/worktrees/side\n'],
      ['trees/side/.git', 'gitdir: /project/.git/modules/a/refs/heads/evil\n'],
      ['trees/side/.git', 'gitdir: /project/.git/worktrees/a/b\n'],
      ['trees/side/.git', 'gitdir: /project/.git\n'],
      ['.git/worktrees/side/gitdir', '/elsewhere/.git\n'],
      ['.git/worktrees/side/commondir', '/project/evil\n'],
      ['.git/worktrees/side/commondir', '../../..\n'],
      ['.git/commondir', '../..\n'],
      ['.git/modules/a/commondir', '../..\n'],
    ] as const) {
      expect(judgeText(path, text), path + text).toMatchObject({
        ...ASK,
        reason: expect.stringContaining(text.trim()),
      });
    }
    expect(judgeText('a/.git', 'gitdir: /project/.git/worktrees/a\nx\n')).toMatchObject({ decision: 'ask' });
    expect(judgeText('a/.git', undefined, 'gitdir: /elsewhere\n')).toMatchObject({ decision: 'drop' });
  });
});

describe('files of an operation of git that goes on [FT14]', () => {
  it('passes: texts, ids and steps that run nothing', () => {
    const files = [
      'rebase-merge/head-name',
      'rebase-merge/done',
      'rebase-merge/autostash',
      'rebase-apply/0001',
      'rebase-apply/next',
      'sequencer/head',
      'BISECT_RUN',
      'MERGE_AUTOSTASH',
      'AUTO_MERGE',
      'gc.pid',
      'shallow',
      'next-index-4711.lock',
      `sharedindex.${'a'.repeat(40)}`,
      `rr-cache/${'b'.repeat(40)}/preimage`,
    ];
    expect(judge(files.map((name) => observed(`.git/${name}`)))).toEqual(COMMIT);
    expect(
      judge(['rebase-merge', 'rr-cache', 'sequencer'].map((name) => observed(`.git/${name}`, folder))),
    ).toEqual(COMMIT);
    const steps = 'pick 1234 a\nsquash 5678 b\n\n# Rebase\nlabel onto\nbreak\n';
    expect(judgeText('.git/rebase-merge/git-rebase-todo', steps)).toEqual(COMMIT);
    expect(judgeText('.git/sequencer/todo', 'revert 1234 a\n')).toEqual(COMMIT);
    expect(judgeText('.git/sequencer/opts', '[options]\n\tedit = true\n\tmainline = 1\n')).toEqual(COMMIT);
    const author =
      "GIT_AUTHOR_NAME='O'\\''Brien'\nGIT_AUTHOR_EMAIL='o@example.org'\nGIT_AUTHOR_DATE='@1 +0000'\n";
    expect(judgeText('.git/rebase-merge/author-script', author)).toEqual(COMMIT);
    expect(judgeText('.git/rebase-merge/strategy', 'ort\n')).toEqual(COMMIT);
    const gone = ['rebase-merge/git-rebase-todo', 'rebase-merge/anything', 'sequencer/todo'];
    expect(judge(gone.map((name) => observed(`.git/${name}`, deleted)))).toEqual(COMMIT);
  });

  it('asks with its lines where a step runs a command', () => {
    for (const line of ['exec evil', 'x evil', '  exec evil', 'EXEC evil', '; exec evil']) {
      const found = judgeText('.git/rebase-merge/git-rebase-todo', `pick 1 a\n${line}\n`);
      expect(found, line).toMatchObject({ ...ASK, reason: expect.stringContaining(line.trim()) });
    }
    expect(judgeText('.git/rebase-merge/git-rebase-todo', 'exec x\n'.repeat(1_000))).toMatchObject({
      decision: 'drop',
    });
  });

  it('is dropped where it is unknown, or names another program', () => {
    for (const name of [
      'rebase-merge/gpg_sign_opt',
      'rebase-merge/x/y',
      'rr-cache/x',
      'sequencer/x',
      'next-index-x',
    ])
      expect(judge([observed(`.git/${name}`)]), name).toMatchObject({ decision: 'drop' });
    expect(judgeText('.git/rebase-merge/strategy', 'evil\n')).toMatchObject({ decision: 'drop' });
    expect(judgeText('.git/sequencer/opts', '[options]\n\tstrategy = evil\n')).toMatchObject({
      decision: 'drop',
    });
    for (const line of [
      "GIT_AUTHOR_NAME='a'; evil",
      'GIT_AUTHOR_NAME=$(evil)',
      'evil',
      "GIT_AUTHOR_NAME='a''$(evil)",
    ])
      expect(judgeText('.git/rebase-merge/author-script', `${line}\n`), line).toMatchObject({
        decision: 'drop',
      });
  });
});

describe('hooks [FT14]', () => {
  it('ask with their whole text, and are dropped if it can’t be shown', () => {
    expect(judgeText('.git/hooks/pre-push', '#!/bin/sh\nexit 0\n', undefined, { mode: 0o755 })).toMatchObject(
      {
        ...ASK,
        reason: '.git/hooks/pre-push is a hook, a program that git runs: #!/bin/sh ⏎ exit 0',
      },
    );
    expect(judgeText('.git/hooks/pre-push', undefined, 'x')).toMatchObject({
      ...ASK,
      reason: expect.stringMatching(/no longer/),
    });
    expect(judgeText('.git/hooks/pre-push', 'x'.repeat(2_001))).toMatchObject({ decision: 'drop' });
    expect(judgeText('.git/hooks/x/pre-push', 'x')).toMatchObject({ decision: 'drop' });
    expect(judge([observed('.git/hooks/pre-push')])).toMatchObject({ decision: 'drop' });
  });
});
