import { describe, expect, it } from 'vitest';
import type { ChangedKind, ChangeWhat } from './change.ts';
import { changeRefusal } from './change-refusal.ts';
import { mayBeRunLater } from './run-later.ts';

const decisionOf = (path: string, what: ChangeWhat = 'created', kind: ChangedKind = 'file') =>
  changeRefusal(path.split('/'), what, kind)?.decision;

/**
 * Files that other programs run automatically: refused whether they exist or not, before and after
 * `git init` (FT14).
 */
const NEVER = [
  '.git/hooks/pre-commit',
  '.git/hooks/post-checkout',
  '.git/hooks/pre-push',
  '.git/config.worktree',
  '.git/commondir',
  '.git/info/attributes',
  '.git/rebase-merge/git-rebase-todo',
  '.git/sequencer/todo',
  '.git/modules/m/hooks/post-checkout',
  '.git/objects/info/alternates',
  '.bulkhead/policy.yaml',
  '.bulkhead',
  '.GIT/hooks/pre-commit',
  '.git /hooks/pre-commit',
  '.gıt/hooks/pre-commit',
  '.env',
  '.netrc',
  '.npmrc',
  '.ssh/authorized_keys',
  '.ssh/config',
  '.aws/credentials',
];
const ASKED = [
  '.gitattributes',
  '.gitmodules',
  '.gitconfig',
  'HEAD',
  '.husky/pre-commit',
  '.githooks/pre-push',
  'lefthook.yml',
  '.pre-commit-config.yaml',
  '.vscode/tasks.json',
  '.vscode/settings.json',
  '.idea/workspace.xml',
  '.devcontainer/devcontainer.json',
  '.vimrc',
  '.exrc',
  '.dir-locals.el',
  '.gdbinit',
  '.envrc',
  'mise.toml',
  '.bashrc',
  '.bash_profile',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.inputrc',
  '.config/fish/config.fish',
  '.tmux.conf',
  '.xprofile',
  '.config/autostart/a.desktop',
  '.config/systemd/user/a.service',
  '.local/bin/ls',
  '.cargo/config.toml',
  'pip.conf',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  '.github/workflows/ci.yml',
  '.gitlab-ci.yml',
  'Jenkinsfile',
  '.claude/settings.json',
  '.mcp.json',
  'project.code-workspace',
  '.VSCode/tasks.json',
  '.vs\u200bcode/tasks.json',
];
const DEPTHS = ['', 'a', 'a/b', 'a/b/c', 'a/b/c/d', 'a/b/c/d/e', 'a/b/c/d/e/f'];
const at = (path: string) => DEPTHS.map((folder) => (folder === '' ? path : `${folder}/${path}`));

describe('changeRefusal', () => {
  it('has some sixty paths to be tried at seven depths', () => {
    expect(NEVER.length + ASKED.length).toBeGreaterThanOrEqual(60);
  });

  it.each(NEVER)('blocks %s at any depth, new or changed [A2] [FT14]', (path) => {
    for (const deep of at(path)) {
      expect(decisionOf(deep, 'created'), deep).toBe(path === '.git' ? 'escalate' : 'block');
      expect(decisionOf(deep, 'changed'), deep).toBe('block');
      expect(decisionOf(deep, 'created', 'link'), deep).toBe('block');
      // The end of an operation removes its steps.
      const isStep = /\/(?:git-rebase-)?todo$/.test(path);
      expect(decisionOf(deep, 'deleted', 'missing'), deep).toBe(isStep ? undefined : 'block');
    }
  });

  it.each(ASKED)('asks a person about %s at any depth, new or changed, and says why [FT14]', (path) => {
    for (const deep of at(path)) {
      expect(decisionOf(deep, 'created'), deep).toBe('escalate');
      expect(decisionOf(deep, 'changed'), deep).toBe('escalate');
      expect(decisionOf(deep, 'replaced', 'link'), deep).toBe('escalate');
      expect(decisionOf(deep, 'metadata'), deep).toBe('escalate');
      expect(decisionOf(deep, 'deleted', 'missing'), deep).toBeUndefined();
      expect(changeRefusal(deep.split('/'), 'created', 'file')?.reason).toMatch(/^is run automatically by /);
    }
  });

  it.each(ASKED)('knows at a quick look that %s may be run later', (path) => {
    expect(path.split('/').some(mayBeRunLater)).toBe(true);
  });

  it('asks about a new repository and blocks a change of its configuration [FT14]', () => {
    expect(decisionOf('sub/.git', 'created', 'folder')).toBeUndefined();
    expect(decisionOf('sub/.git', 'created', 'file')).toBe('escalate');
    expect(decisionOf('sub/.git', 'created', 'link')).toBe('block');
    expect(decisionOf('sub/.git/config', 'created')).toBe('escalate');
    expect(decisionOf('.git/config', 'changed')).toBe('block');
    expect(decisionOf('.git/config', 'replaced')).toBe('block');
    for (const path of ['.git/modules/m/config', '.git/worktrees/w/gitdir']) {
      expect(decisionOf(path, 'created'), path).toBe('escalate');
    }
    expect(decisionOf('.git/modules/m/config', 'changed')).toBe('block');
    expect(changeRefusal(['.git'], 'deleted', 'missing')?.rule).toBe('mass-deletion');
  });

  it.each([
    '.git/HEAD',
    '.git/index',
    '.git/objects/ab/cdef',
    '.git/objects/pack/p.pack',
    '.git/objects/info/commit-graph',
    '.git/refs/heads/main',
    '.git/logs/HEAD',
    '.git/COMMIT_EDITMSG',
    '.git/packed-refs',
    '.git/hooks/pre-commit.sample',
  ])('leaves to git what git only stores: %s', (path) => {
    expect(decisionOf(path, 'changed')).toBeUndefined();
    expect(decisionOf(path, 'replaced', 'link')).toBe('block');
  });

  it('takes a link in the place of a folder of a repository for an attack [FT14]', () => {
    for (const path of ['.git/hooks', '.git/objects', '.git/refs/heads', '.git/info']) {
      expect(decisionOf(path, 'created', 'folder')).toBeUndefined();
      expect(decisionOf(path, 'replaced', 'link')).toBe('block');
    }
    expect(decisionOf('.git/hooks', 'created', 'file')).toBe('block');
  });

  it.each([
    '.git/lfs/r/HEAD',
    '.git/lfs/r/config',
    '.git/lfs/r/hooks/x',
    '.git/lfs/tmp/r/HEAD',
    '.git/lfs/cache/r/hooks/x',
    '.git/lfs/objects/r/refs',
    '.git/logs/r/HEAD',
    '.git/logs/objects/x',
    '.git/logs/commondir',
    '.git/logs/refs/objects/x',
    '.git/objects/pack/HEAD',
    '.git/objects/pack/commondir',
    '.git/objects/r/HEAD',
    '.git/objects/info/x',
    '.git/objects/info/alternates.lock',
    '.git/objects/ab/r/HEAD',
    '.git/refs/HEAD',
    '.git/refs/config',
    '.git/refs/r/objects/x',
    '.git/refs/r/refs/x',
    '.git/refs/r/commondir',
    '.git/refs/commondir/x',
    '.git/branches/origin',
    '.git/branches/r/HEAD',
    '.git/lost-found/r/HEAD',
    '.git/reftable/r/HEAD',
    '.git/info/refs/HEAD',
    '.git/info/exclude/config',
    '.git/modules/vendor/logs/hooks/post-checkout',
    '.git/modules/vendor/lfs/config',
    '.git/modules/vendor/refs/config',
    '.git/modules/vendor/objects/pack/hooks/x',
    '.git/modules/vendor/info/hooks/x',
    '.git/modules/hooks/hooks/x',
    '.git/modules/a/refs/heads/hooks/config',
    '.git/modules/a/modules/b/logs/hooks/x',
  ])('blocks what is no data of git among its data: %s [FT14]', (path) => {
    for (const deep of at(path)) {
      expect(decisionOf(deep, 'created'), deep).toBe('block');
      expect(decisionOf(deep, 'changed'), deep).toBe('block');
    }
  });

  it.each([
    '.git/objects/ab/tmp_obj_x1',
    '.git/objects/pack/tmp_pack_x1',
    '.git/objects/pack/multi-pack-index',
    '.git/objects/info/packs',
    '.git/objects/info/commit-graphs/graph-ab12.graph',
    '.git/objects/info/commit-graphs/commit-graph-chain',
    '.git/refs/stash',
    '.git/refs/heads/a/b/config',
    '.git/refs/remotes/origin/HEAD',
    '.git/logs/refs/heads/main',
    '.git/logs/refs/remotes/origin/HEAD',
    '.git/logs/refs/stash',
    '.git/lfs/objects/ab/cd/abcd12',
    '.git/lfs/tmp/123-ab',
    '.git/lfs/cache/locks/refs/heads/main/verifiable',
    '.git/lost-found/commit/ab12',
    '.git/reftable/tables.list',
    '.git/reftable/0x000000000001-0x000000000002-ab12cd34.ref',
    '.git/modules/vendor/logs/HEAD',
    '.git/modules/vendor/x/refs/heads/main',
    '.git/modules/vendor/logs/refs/heads/main',
  ])('knows the data that git and Git LFS write: %s', (path) => {
    for (const deep of at(path)) {
      expect(decisionOf(deep, 'created'), deep).toBeUndefined();
      expect(decisionOf(deep, 'deleted', 'missing'), deep).toBeUndefined();
    }
  });

  it('takes the strictest reading of a module’s name, in no time [FT14]', () => {
    expect(decisionOf('.git/modules/a/refs/heads/config')).toBe('escalate');
    expect(decisionOf('.git/modules/a/refs/heads/config', 'changed')).toBe('block');
    expect(decisionOf('.git/modules/a/config', 'deleted', 'missing')).toBeUndefined();
    expect(decisionOf(`.git/${'modules/'.repeat(500)}hooks/x`)).toBe('block');
  });

  it.each([
    'package.json',
    'Makefile',
    'CMakeLists.txt',
    'src/index.ts',
    'conftest.py',
    'setup.py',
    'build.gradle',
    'Dockerfile',
    '.gitignore',
    '.editorconfig',
    '.eslintrc.json',
    '.github/ISSUE_TEMPLATE.md',
    'tsconfig.json',
    'pyproject.toml',
    'header.h',
    'head.ts',
    'config',
    'run.sh',
    '.dockerignore',
    'docs/.vscode.md',
  ])('leaves ordinary work alone: %s', (path) => {
    for (const deep of at(path)) expect(decisionOf(deep), deep).toBeUndefined();
  });

  it('leaves alone what packages bring, but no repository and nothing of ours', () => {
    expect(decisionOf('node_modules/a/test/key.pem')).toBeUndefined();
    expect(decisionOf('node_modules/a/.vscode/settings.json')).toBeUndefined();
    expect(decisionOf('.venv/lib/python3/site-packages/a/cacert.pem', 'deleted', 'missing')).toBeUndefined();
    expect(decisionOf('node_modules/a/.git/hooks/pre-commit')).toBe('block');
    expect(decisionOf('node_modules/.bulkhead/x')).toBe('block');
    expect(decisionOf('.aws/.git/objects/x')).toBe('block');
    expect(decisionOf('.bulkhead/.git/objects/x')).toBe('block');
  });
});
