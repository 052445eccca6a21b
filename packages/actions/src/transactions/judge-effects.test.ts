import { changed, deleted, effectsOf, folder, linkTo, observed } from '@bulkhead/home/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { depths, type Fields, judge } from '../testing/judge.ts';
import { shownEffects } from './settle-effects.ts';

describe('files that other programs run or obey later [FT14]', () => {
  it('asks however it is called, and where it lies around what programs make', () => {
    for (const path of [
      '.github/actions/build/action.yml',
      '.local/bin/build',
      '.claude/commands/build/x.md',
      '.claude/node_modules/x.md',
      '.husky/dist/pre-push',
    ]) {
      expect(judge([observed(path)]), path).toMatchObject({ decision: 'ask' });
    }
    for (const path of ['.ssh/out/config', '.aws/build/x', 'a/.ssh/node_modules/config']) {
      expect(judge([observed(path)]), path).toMatchObject({ decision: 'drop' });
    }
    expect(judge([observed('out/.ssh/x')])).toEqual({ decision: 'commit' });
  });

  it('asks when it becomes a program', () => {
    const mode = { what: 'metadata', was: 'file', mode: 0o755, wasMode: 0o644 } as const;
    expect(judge([observed('.husky/pre-push', mode)])).toMatchObject({ decision: 'ask' });
    expect(judge([observed('.husky/pre-push', { ...mode, wasMode: 0o755 })])).toEqual({ decision: 'commit' });
    expect(judge([observed('src/run.sh', mode)])).toEqual({ decision: 'commit' });
  });

  it('asks when it, or what git obeys, would belong to another user', () => {
    const given = {
      what: 'metadata',
      was: 'file',
      mode: 0o644,
      wasMode: 0o644,
      owners: { was: '1000:1000', now: '0:0' },
    } as const;
    const git = { decision: 'ask', rule: 'effects/git-settings' };
    expect(judge([observed('src/a', given)])).toEqual({ decision: 'commit' });
    expect(judge([observed('.git/index', given)])).toEqual({ decision: 'commit' });
    expect(judge([observed('.envrc', given)])).toMatchObject({ decision: 'ask' });
    expect(judge([observed('.git/hooks/x.sample', given)])).toEqual({ decision: 'commit' });
    for (const path of ['.git/config', '.git/hooks/pre-commit', 'sub/.git/hooks/pre-push'])
      expect(judge([observed(path, given)]), path).toMatchObject(git);
    expect(judge([observed('.git', { ...given, kind: 'folder', was: 'folder' })])).toMatchObject(git);
    expect(judge([observed('.git/hooks/pre-commit', { ...given, mode: 0o755 })])).toMatchObject({
      decision: 'drop',
    });
    expect(judge([observed('.ssh/id_rsa', given)])).toMatchObject({ decision: 'drop' });
  });

  const names = [
    '.bashrc',
    '.zshrc',
    '.profile',
    '.envrc',
    '.vscode/tasks.json',
    '.vscode/settings.json',
    '.husky/pre-commit',
    '.devcontainer/devcontainer.json',
    '.pre-commit-config.yaml',
    '.yarnrc.yml',
    '.gdbinit',
    '.gitattributes',
    '.github/workflows/ci.yml',
  ];

  it.each(depths)('asks a person and says so: %j', (prefix) => {
    for (const name of names) {
      for (const fields of [{}, changed]) {
        const verdict = judge([observed(prefix + name, fields)]);
        expect(verdict, name).toMatchObject({ decision: 'ask', rule: 'effects/executed-later' });
        expect(verdict).toMatchObject({ reason: expect.stringContaining('is run automatically by ') });
      }
    }
  });

  it('passes when it goes, or comes with what a package manager makes', () => {
    for (const name of names) {
      expect(judge([observed(`node_modules/x/${name}`)]), name).toEqual({ decision: 'commit' });
      expect(judge([observed(name, deleted)]), name).toEqual({ decision: 'commit' });
    }
  });
});

describe('credentials [A2]', () => {
  it('are neither made, changed nor removed, at any depth', () => {
    for (const prefix of depths) {
      for (const name of ['.env', '.env.local', '.npmrc', 'server.key', '.ssh/config', '.aws/x', 'id_rsa']) {
        for (const fields of [{}, changed, deleted]) {
          expect(judge([observed(prefix + name, fields)]), prefix + name).toMatchObject({
            decision: 'drop',
            rule: 'effects/credentials',
          });
        }
      }
    }
  });

  it('of examples that packages bring along are none of the user’s', () => {
    expect(judge([observed('node_modules/tls/test/server.pem')])).toEqual({ decision: 'commit' });
    expect(judge([observed('node_modules/tls/test/server.pem', deleted)])).toEqual({ decision: 'commit' });
    expect(judge([observed('node_modules/tls/test/server.pem', changed)])).toMatchObject({
      decision: 'drop',
    });
  });
});

describe('deleting [B2]', () => {
  const files = (count: number, prefix = 'src/', fields: Fields = deleted) =>
    Array.from({ length: count }, (_, index) => observed(`${prefix}${index}`, fields));

  it('much asks a person', () => {
    expect(judge(files(50))).toEqual({ decision: 'commit' });
    expect(judge(files(51))).toEqual({
      decision: 'ask',
      rule: 'effects/mass-deletion',
      namesLoss: true,
      reason: '51 files would be deleted',
      findings: ['51 files would be deleted'],
    });
  });

  it('by emptying is deleting', () => {
    const emptied = { ...changed, size: 0, wasSize: 10 };
    expect(judge(files(51, 'src/', emptied))).toMatchObject({ decision: 'ask' });
    expect(judge(files(51, 'src/', { ...changed, size: 5, wasSize: 10 }))).toMatchObject({
      reason: '51 files would be overwritten',
    });
    expect(judge(files(51, 'src/', { ...changed, size: 5, wasSize: 0 }))).toEqual({ decision: 'commit' });
    const linked = { ...changed, what: 'replaced', ...linkTo('x') } as const;
    expect(judge(files(51, 'src/', linked))).toMatchObject({ decision: 'ask' });
  });

  it('most of a folder asks, however small it is', () => {
    expect(judge(files(3, ''), 5)).toMatchObject({ decision: 'ask', rule: 'effects/mass-deletion' });
    expect(judge(files(3, ''), 6)).toEqual({ decision: 'commit' });
    expect(judge(files(2, ''), 2)).toEqual({ decision: 'commit' });
  });

  it('does not count files that are built or fetched again as missed', () => {
    expect(judge(files(5_000, 'node_modules/'))).toEqual({ decision: 'commit' });
    expect(judge(files(5_000, '.git/objects/ab/'))).toEqual({ decision: 'commit' });
  });

  it('is listed beside other reasons to ask', () => {
    const verdict = judge([...files(51), observed('.envrc')]);
    expect(verdict).toMatchObject({
      decision: 'ask',
      reason: expect.stringMatching(/^\.envrc .*; 51 files/),
    });
  });
});

describe('links, rights and kinds [B2]', () => {
  it.each([
    ['l', '../x', 'ask'],
    ['a/l', '../../x', 'ask'],
    ['a/l', 'b/../../../x', 'ask'],
    ['l', '/etc/passwd', 'ask'],
    ['d/esc', 'up/../secret', 'ask'],
    ['build', '/usr/bin/x', 'ask'],
    ['a/b/l', '../x/../y', 'ask'],
    ['a/l', 'x/..', 'ask'],
    ['a/l', './..//x', 'commit'],
    ['l', '/project/../etc', 'ask'],
    ['l', '/projects', 'ask'],
    ['a/l', '../x', 'commit'],
    ['l', 'x', 'commit'],
    ['l', '/project/x', 'commit'],
    ['.venv/bin/python', '/usr/bin/python3', 'commit'],
    ['.venv/bin/python', '/usr/../etc/x', 'ask'],
    ['node_modules/.bin/x', '../x/cli.js', 'commit'],
    ['node_modules/x', '/home/u/x', 'ask'],
  ])('a link %s to %s: %s', (path, target, decision) => {
    expect(judge([observed(path, linkTo(target))])).toMatchObject({ decision });
  });

  it('set-user programs and special files are dropped [FT08]', () => {
    expect(judge([observed('p', { mode: 0o4755 })])).toMatchObject({ decision: 'drop' });
    expect(judge([observed('p', { mode: 0o2755 })])).toMatchObject({ decision: 'drop' });
    expect(judge([observed('p', { ...changed, mode: 0o4755, wasMode: 0o4755 })])).toEqual({
      decision: 'commit',
    });
    expect(judge([observed('d', { ...folder, mode: 0o2755 })])).toEqual({ decision: 'commit' });
    expect(judge([observed('p', { kind: 'other' })])).toMatchObject({ decision: 'drop' });
  });

  it('a file that is opened to every user asks, whichever program did it [A2]', () => {
    const modes = (wasMode: number, mode: number, fields: Fields = {}) =>
      judge([observed('notes', { what: 'metadata', was: 'file', wasMode, mode, ...fields })]);
    const asks = { decision: 'ask', rule: 'effects/access-opened' };
    for (const [wasMode, mode] of [
      [0o600, 0o666],
      [0o644, 0o646],
    ] as const)
      expect(modes(wasMode, mode), mode.toString(8)).toMatchObject(asks);
    expect(modes(0o644, 0o666, { ...changed })).toMatchObject(asks);
    expect(modes(0o755, 0o777, { kind: 'folder', was: 'folder' })).toMatchObject(asks);
    for (const [wasMode, mode] of [
      [0o644, 0o755],
      [0o600, 0o664],
      [0o666, 0o666],
      [0o666, 0o600],
    ] as const)
      expect(modes(wasMode, mode), mode.toString(8)).toEqual({ decision: 'commit' });
    expect(judge([observed('new', { mode: 0o666 })])).toEqual({ decision: 'commit' });
  });

  it('an executable is listed, and no more', () => {
    expect(judge([observed('run.sh', { mode: 0o755 })])).toEqual({ decision: 'commit' });
  });

  it('blocks if one part is forbidden, whatever a person could allow of the rest', () => {
    const verdict = judge([observed('.envrc'), observed('.git/hooks/x'), observed('l', linkTo('/etc'))]);
    expect(verdict).toMatchObject({ decision: 'drop', rule: 'effects/executed-later' });
  });

  it('names are shown escaped, the first few of them', () => {
    const changes = ['a', 'b', 'c', 'd', 'e'].map((name) => observed(`${name}\u202e/.envrc`));
    const verdict = judge(changes);
    expect(verdict).toMatchObject({
      reason: expect.stringMatching(/^a\\xe2\\x80\\xae\/.envrc .*; and 2 more$/),
    });
  });
});

describe('the question that a person sees', () => {
  it('shows everything that an approval allows, and nothing is asked that can’t be shown [FT14]', () => {
    const changes = Array.from({ length: 200 }, (_, index) => observed(`a/${index}/.envrc`));
    const verdict = judge(changes);
    if (verdict.decision !== 'ask') throw new Error(verdict.decision);
    const list = effectsOf([observed('a', folder), ...changes]);
    const action = { arguments: { command: 'make' }, metadata: { workingFolder: '/project' } };
    const shown = shownEffects(action, list, verdict.findings, (text) => text);
    for (const index of changes.keys()) expect(shown).toContain(`! a/${index}/.envrc is run automatically`);
    expect(shown.indexOf('! a/199/')).toBeLessThan(shown.indexOf('201 created'));
    expect(judge([...changes, observed('.envrc')])).toMatchObject({
      decision: 'drop',
      rule: 'effects/too-many',
    });
  });
});

describe('judgeEffects', () => {
  it('decides about any names, and about each the same in any company', () => {
    const name = fc.constantFrom(
      '.git',
      'hooks',
      'config',
      '.env',
      'a',
      '.bulkhead',
      'node_modules',
      'HEAD',
      'ü',
    );
    const path = fc.array(name, { minLength: 1, maxLength: 6 }).map((names) => names.join('/'));
    fc.assert(
      fc.property(fc.array(path, { minLength: 1, maxLength: 8 }), (paths) => {
        const all = judge(paths.map((each) => observed(each)));
        const alone = paths.map((each) => judge([observed(each)]).decision);
        if (alone.includes('drop')) expect(all.decision).toBe('drop');
        else if (alone.includes('ask')) expect(all.decision).not.toBe('commit');
      }),
    );
  });

  it('takes twenty thousand files, fetched or cloned', () => {
    const changes = Array.from({ length: 20_000 }, (_, index) =>
      observed(`${index % 2 === 0 ? 'node_modules/x' : 'src'}/part-${index % 500}/lib/deep/file-${index}.js`),
    );
    expect(judge(changes)).toEqual({ decision: 'commit' });
  });
});
