import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settingsChange } from './git-settings.ts';

const BEFORE = '[core]\n\trepositoryformatversion = 0\n\tbare = false\n';
const REMOTE =
  '[remote "origin"]\n\turl = https://example.org/a.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n';
const change = (before: string, after: string) => settingsChange(before, after, (path) => path === 'inside');
const HARMLESS = { type: 'harmless' };

describe('settings of a repository that a command changes', () => {
  it.each([
    REMOTE,
    '[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n[user]\n\tname = A B\n\temail = a@b\n',
    '[pull]\n\trebase = true\n[core]\n\tautocrlf = false\n\tsparseCheckout = true\n[push]\n\tdefault = simple\n',
    '[extensions]\n\tworktreeConfig = true\n[core]\n\tworktree = inside\n\tfsmonitor = false\n',
    '[submodule "a"]\n\turl = ../a\n\tactive = true\n\tupdate = rebase\n[color "diff"]\n\told = red\n',
    '[remote "o"]\n\turl = git@example.org:a/b.git\n\tpushurl = ssh://git@example.org:22/a\n\tpushurl = file:///a/b\n',
    '; a remark\n\n# another\n',
    '[remote "o"]\n\turl = "a b" # c\n',
    '[filter "x"]\n',
  ])('pass where they only identify, name remotes and branches, or change how git presents: %j', (added) => {
    expect(change(BEFORE, BEFORE + added)).toEqual(HARMLESS);
    expect(change(BEFORE + added, BEFORE)).toEqual(HARMLESS);
    expect(change('', BEFORE + added)).toEqual(HARMLESS);
  });

  it.each([
    ['[core]\n\thooksPath = x\n', 'core.hookspath = x'],
    ['[core]\n\tfsmonitor = ./x\n', 'core.fsmonitor = ./x'],
    ['[core]\n\tfsmonitor\n', 'core.fsmonitor'],
    ['[CORE]\n\tsshCommand = x\n', 'core.sshcommand = x'],
    ['[core]\n\tworktree = ../..\n', 'core.worktree = ../..'],
    ['[alias]\n\tst = !x\n', 'alias.st = !x'],
    ['[alias]\n\tst = submodule foreach x\n', 'alias.st = submodule foreach x'],
    ['[include]\n\tpath = x\n', 'include.path = x'],
    ['[includeIf "gitdir:/"]\n\tpath = x\n', 'includeif.gitdir:/.path = x'],
    ['[filter "x"]\n\tclean = x\n', 'filter.x.clean = x'],
    ['[diff "x"]\n\ttextconv = x\n', 'diff.x.textconv = x'],
    ['[diff]\n\texternal = x\n', 'diff.external = x'],
    ['[merge "x"]\n\tdriver = x\n', 'merge.x.driver = x'],
    ['[pull]\n\ttwohead = x\n', 'pull.twohead = x'],
    ['[credential]\n\thelper = x\n', 'credential.helper = x'],
    ['[gpg "ssh"]\n\tprogram = x\n', 'gpg.ssh.program = x'],
    ['[http]\n\tproxy = x\n', 'http.proxy = x'],
    ['[protocol "ext"]\n\tallow = always\n', 'protocol.ext.allow = always'],
    ['[remote "o"]\n\tuploadpack = x\n', 'remote.o.uploadpack = x'],
    ['[remote "o"]\n\tvcs = x\n', 'remote.o.vcs = x'],
    ['[remote "o"]\n\tmirror = true\n', 'remote.o.mirror = true'],
    ['[remote "o"]\n\turl = ext::sh -c x\n', 'remote.o.url = ext::sh -c x'],
    ['[remote "o"]\n\turl = hg://x\n', 'remote.o.url = hg://x'],
    ['[remote "o"]\n\turl = --upload-pack=x\n', 'remote.o.url = --upload-pack=x'],
    ['[remote "o"]\n\turl = ssh://-oProxyCommand=x/y\n', 'remote.o.url = ssh://-oProxyCommand=x/y'],
    ['[branch "m"]\n\tremote = ext::x\n', 'branch.m.remote = ext::x'],
    ['[remote]\n\tpushDefault = ext::x\n', 'remote.pushdefault = ext::x'],
    ['[submodule "m"]\n\tupdate = !x\n', 'submodule.m.update = !x'],
    ['[user]\n\tsigningkey = x\n', 'user.signingkey = x'],
    ['[url "ext::x"]\n\tinsteadOf = https://\n', 'url.ext::x.insteadof = https://'],
    ['[unheard]\n\tof = " a"\n', 'unheard.of = " a"'],
  ])(
    'ask with the very line where they name a program or are not known: %j [FT14] [FT19]',
    (added, clause) => {
      expect(change(BEFORE, BEFORE + added)).toEqual({ type: 'asks', clauses: [clause] });
      expect(change(BEFORE, REMOTE + added + BEFORE)).toEqual({ type: 'asks', clauses: [clause] });
      expect(change(BEFORE + added, BEFORE)).toEqual({ type: 'asks', clauses: [`${clause} removed`] });
      expect(change(BEFORE + added, BEFORE + added + REMOTE)).toEqual(HARMLESS);
    },
  );

  it.each([
    '[remote "o"]\n\turl = a\\\n[core]\n\tpager = x\n',
    '[remote "o"] url = a\n',
    '[remote.o]\n\turl = a\n',
    '[remote "o"]\r\n\turl = a\r\n',
    '\ufeff[remote "o"]\n\turl = a\n',
    '[remote "o"]\n\turl = a\u0000b\n',
    '[remote "o"]\n\turl = "a\n',
    '[remote "o"\n\turl = a\n',
  ])('ask with each new line where git, or another version, may read them otherwise: %j [FT14]', (added) => {
    for (const text of [added + BEFORE, `${BEFORE}${added}`]) {
      const asked = change(BEFORE, text);
      expect(asked).toMatchObject({ type: 'asks' });
      const clauses = asked.type === 'asks' ? asked.clauses : [];
      for (const line of added.split('\n').filter(Boolean)) expect(clauses).toContain(JSON.stringify(line));
    }
  });

  it('ask where what an included file sets would come before or after another setting', () => {
    const [include, hooks] = ['[include]\n\tpath = x\n', '[core]\n\thooksPath = /dev/null\n'];
    expect(change(include + hooks, hooks + include)).toEqual({
      type: 'asks',
      clauses: ['core.hookspath = /dev/null (in another order)', 'include.path = x (in another order)'],
    });
    expect(change(REMOTE + hooks, hooks + REMOTE)).toEqual(HARMLESS);
  });

  it('are unclear where a person could not be shown all', () => {
    expect(change('', `[a]\n\tx = ${'y'.repeat(4_000)}\n`)).toEqual({ type: 'unclear' });
    expect(change('', '[core]\n\tpager = x\n'.repeat(300))).toEqual({ type: 'unclear' });
  });

  it('name every setting that is not harmless, whatever else there is', () => {
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
      fc.property(key, fc.stringMatching(/^[a-z0-9/.]{1,20}$/), (name, value) => {
        const found = change(BEFORE, `${BEFORE}[remote "o"]\n\t${name} = ${value}\n`);
        const harmless = ['url', 'pushurl', 'fetch', 'tagopt'].includes(name);
        expect(found).toEqual(
          harmless ? HARMLESS : { type: 'asks', clauses: [`remote.o.${name} = ${value}`] },
        );
      }),
    );
  });
});
