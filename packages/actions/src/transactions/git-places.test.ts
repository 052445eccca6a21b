import { changed, deleted, folder, linkTo, observed } from '@bulkhead/home/testing';
import { describe, expect, it } from 'vitest';
import { depths, type Fields, judge } from '../testing/judge.ts';

describe('files that git runs or obeys later [A2] [B2]', () => {
  const refused: readonly (readonly [string, Fields])[] = [
    ['.git/hooks/pre-commit', {}],
    ['.git/hooks/pre-commit', { mode: 0o755 }],
    ['.git/hooks/pre-commit', changed],
    ['.git/hooks/post-checkout', linkTo('../../evil')],
    ['.git/hooks/x/pre-commit', {}],
    ['.git/hooks', linkTo('../elsewhere')],
    ['.git/config', changed],
    ['.git/config', deleted],
    ['.git/config', { ...changed, what: 'replaced', kind: 'link', target: Buffer.from('x') }],
    ['.git/config.worktree', {}],
    ['.git/commondir', {}],
    ['.git/gitdir', {}],
    ['.git/info/attributes', {}],
    ['.git/info/grafts', {}],
    ['.git/modules/sub/config', changed],
    ['.git/modules/deep/sub/hooks/pre-commit', {}],
    ['.git/rebase-merge/git-rebase-todo', {}],
    ['.git/fsmonitor--daemon.ipc', {}],
    ['.git/unheard-of', {}],
    ['.git/HEAD', linkTo('x')],
    ['.git', { ...changed, was: 'file' }],
    ['.git', linkTo('elsewhere')],
    ['.GIT/hooks/pre-commit', {}],
    ['.gi\u200dt/hooks/pre-commit', {}],
    ['.bulkhead/policy.yaml', {}],
    ['.Bulkhead', folder],
    ['.bulkhead-scratch/x', {}],
  ];

  it.each(depths)('is dropped, at any depth: %j [FT14]', (prefix) => {
    for (const [path, fields] of refused) {
      expect(judge([observed(prefix + path, fields)]), path).toMatchObject({ decision: 'drop' });
    }
  });

  it.each(depths)('asks a person where it begins a repository: %j [FT14]', (prefix) => {
    for (const [path, fields] of [
      ['.git/config', {}],
      ['.git', {}],
      ['.git/modules/sub/config', {}],
      ['.git/worktrees/w/gitdir', {}],
      ['.git', { ...deleted, was: 'folder' }],
    ] satisfies [string, Fields][]) {
      expect(judge([observed(prefix + path, fields)]), path).toMatchObject({ decision: 'ask' });
    }
  });

  it('passes where it is ordinary work', () => {
    const paths: readonly (readonly [string, Fields])[] = [
      ['.git', folder],
      ['.git/HEAD', {}],
      ['.git/HEAD', changed],
      ['.git/HEAD.lock', {}],
      ['.git/index', changed],
      ['.git/objects/ab/cdef', { mode: 0o444 }],
      ['.git/objects/pack/pack-1.pack', {}],
      ['.git/objects/ab/cdef', deleted],
      ['.git/refs/heads/hooks/config', {}],
      ['.git/logs/HEAD', {}],
      ['.git/packed-refs', {}],
      ['.git/COMMIT_EDITMSG', {}],
      ['.git/ORIG_HEAD', {}],
      ['.git/FETCH_HEAD', {}],
      ['.git/description', {}],
      ['.git/info', folder],
      ['.git/info/exclude', {}],
      ['.git/hooks', folder],
      ['.git/hooks/pre-commit.sample', { mode: 0o755 }],
      ['.git/branches', folder],
      ['.git/worktrees/w/gitdir', deleted],
      ['.git/modules/deep/sub/objects/ab/c', {}],
      ['.git/modules/deep/sub/HEAD', {}],
      ['.gitignore', {}],
      ['src/config', {}],
      ['src/hooks/use-state.ts', {}],
    ];
    for (const prefix of depths) {
      for (const [path, fields] of paths) {
        expect(judge([observed(prefix + path, fields)]), prefix + path).toEqual({ decision: 'commit' });
      }
    }
  });

  it('is found in a repository that is not called .git', () => {
    const bare = ['bare/HEAD', 'bare/objects', 'bare/hooks/post-update.sample'].map((path) => observed(path));
    expect(judge(bare)).toMatchObject({ decision: 'ask' });
    expect(judge(bare.slice(1))).toEqual({ decision: 'commit' });
    expect(judge([...bare, observed('bare/config')])).toMatchObject({ decision: 'ask' });
    expect(judge([...bare, observed('bare/hooks/post-update')])).toMatchObject({ decision: 'drop' });
    expect(judge([observed('bare/config', changed)], 100, ['bare'])).toMatchObject({ decision: 'drop' });
    expect(judge([observed('config', changed)], 100, [''])).toMatchObject({ decision: 'drop' });
    expect(judge([observed('bare/config', changed)])).toEqual({ decision: 'commit' });
  });
});

describe('a repository that is put together piece by piece [FT14]', () => {
  it('asks for the HEAD that completes it, in what programs make as well', () => {
    for (const name of ['build/x', 'node_modules/x', 'dist', '.git/refs/remotes/o']) {
      const head = observed(`${name}/HEAD`);
      expect(judge([head]), name).toEqual({ decision: 'commit' });
      expect(judge([head], 100, [], [name]), name).toMatchObject({ decision: 'ask' });
      expect(judge([{ ...head, ...changed }], 100, [name], [name])).toEqual({ decision: 'commit' });
    }
    for (const part of ['config', 'hooks/post-checkout', 'hooks', 'commondir', 'config.worktree']) {
      const list = [observed(`build/x/${part}`, { mode: 0o755 }), observed('build/x/HEAD')];
      expect(judge(list), part).toMatchObject({ decision: expect.stringMatching(/ask|drop/) });
    }
    expect(judge([observed('build/x/config')], 100, ['build/x'])).toMatchObject({ decision: 'ask' });
  });

  it('is found below the data of another', () => {
    const refs = '.git/refs/remotes/o';
    expect(judge([observed(`${refs}/hooks/x`)], 100, [refs])).toMatchObject({ decision: 'drop' });
    expect(judge([observed(`${refs}/config`, changed)], 100, [refs])).toMatchObject({ decision: 'drop' });
    expect(judge([observed(`${refs}/hooks/x`)])).toEqual({ decision: 'commit' });
  });

  it('is found in a folder whose name is no text', () => {
    const hook = { ...observed('x'), path: Buffer.from('\xffr/hooks/post-checkout', 'latin1') };
    expect(judge([hook])).toEqual({ decision: 'commit' });
    expect(judge([hook], 100, ['\xffr'])).toMatchObject({ decision: 'drop' });
    const head = { ...observed('x'), path: Buffer.from('\xffr/HEAD', 'latin1') };
    expect(judge([hook, head])).toMatchObject({ decision: 'drop' });
  });
});
