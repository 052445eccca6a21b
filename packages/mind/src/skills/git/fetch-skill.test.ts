import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BulkheadError, type HomeLayout, homeLayout } from '@bulkhead/protocol';
import { GitRepository, HAS_GIT } from '@bulkhead/testkit/git';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FETCH_LIMITS, type FetchedSkill, fetchSkill } from './fetch-skill.ts';
import { parseGitAddress } from './git-address.ts';

const SKILL = '---\nname: mail\ndescription: Writes mail.\n---\nWrite.\n';

describe.skipIf(!HAS_GIT)('a skill from git (skipped where git is not installed)', () => {
  let repository: GitRepository;
  let layout: HomeLayout;
  let told: string[];

  beforeEach(() => {
    repository = new GitRepository();
    layout = homeLayout(join(repository.root, 'home'));
    told = [];
  });
  afterEach(() => repository[Symbol.asyncDispose]());

  const fetch = (
    word: string,
    more: { signal?: AbortSignal; limits?: object; path?: string; env?: object } = {},
  ) =>
    fetchSkill(parseGitAddress(word), {
      layout,
      env: {
        ...process.env,
        PATH: more.path ?? process.env['PATH'],
        HOME: repository.root,
        ...more.env,
      },
      signal: more.signal ?? new AbortController().signal,
      tell: (line) => told.push(line),
      limits: { ...FETCH_LIMITS, ...more.limits },
    });
  const namesIn = ({ archive }: FetchedSkill) => tar(['-tf', archive]).trim().split('\n');
  const textOf = ({ archive }: FetchedSkill, name: string) => tar(['-xOf', archive, name]);
  const left = () => readdirSync(layout.fetched);

  it.each(['smart', 'dumb'])('comes from a %s server as one private archive, and goes [SK2]', async (way) => {
    repository.write('old', 'gone').commit();
    repository.git('rm', '--quiet', 'old');
    const commit = repository.write('SKILL.md', SKILL).write('run.sh', 'echo', 0o755).commit();
    const url = `${await repository.listen()}/${way}`;
    {
      using fetched = await fetch(url);
      expect(fetched).toMatchObject({ fetchedFrom: `${url}#${commit}`, leftOut: [] });
      expect(namesIn(fetched)).toEqual(['SKILL.md', 'run.sh']);
      expect(statSync(dirname(fetched.archive)).mode & 0o777).toBe(0o700);
      expect(statSync(fetched.archive).mode & 0o777).toBe(0o600);
      expect(readdirSync(dirname(fetched.archive))).toEqual(['skill.tar']);
    }
    expect(left()).toEqual([]);
  });

  it('comes at a branch, a tag or a commit, from a folder [SK2]', async () => {
    const first = repository.write('skills/mail/SKILL.md', SKILL).write('README.md', 'x').commit();
    repository.git('tag', '--annotate', '--message', 'one', 'v1');
    repository.git('switch', '--quiet', '--create', 'next/try');
    const second = repository.write('skills/mail/SKILL.md', `${SKILL}More.\n`).commit();
    repository.git('switch', '--quiet', 'main');
    const url = `${await repository.listen()}/smart`;
    for (const [ref, commit] of [
      ['', first],
      ['v1', first],
      ['next/try', second],
      [second, second],
    ] as const) {
      using fetched = await fetch(`${url}#${ref}:skills/mail`);
      expect(fetched.fetchedFrom).toBe(`${url}#${commit}:skills/mail`);
      expect(namesIn(fetched)).toEqual(['SKILL.md']);
      expect(textOf(fetched, 'SKILL.md').includes('More.')).toBe(commit === second);
    }
    await expect(fetch(url)).rejects.toMatchObject({
      code: 'config_invalid',
      fix: `Name one: ${url}#:skills/mail`,
    });
    await expect(fetch(`${url}#:skills/none`)).rejects.toMatchObject({ code: 'not_found' });
    await expect(fetch(`${url}#:README.md`)).rejects.toMatchObject({ code: 'not_found' });
    await expect(fetch(`${url}#none`)).rejects.toMatchObject({
      code: 'not_found',
      message: `${url} has no branch, tag or commit none`,
    });
    expect(left()).toEqual([]);
  });

  it('runs nothing that a repository or the settings of a person ask for [SK2]', async () => {
    const mark = join(repository.root, 'ran');
    const program = join(repository.root, 'evil');
    writeFileSync(program, `#!/bin/sh\ntouch ${mark}\ncat\n`, { mode: 0o755 });
    repository
      .write('SKILL.md', SKILL)
      .write(
        '.gitattributes',
        '* filter=evil ident\nhidden export-ignore\n*.txt text eol=crlf export-subst\n',
      )
      .write('hidden', 'seen')
      .write('a.txt', '$Id$ $Format:%H$\n')
      .write('.gitmodules', '[submodule "sub"]\n\tpath = sub\n\turl = ext::sh -c "touch ../ran"\n');
    for (const hook of ['post-checkout', 'post-merge', 'reference-transaction']) {
      repository.write(`hooks/${hook}`, `#!/bin/sh\ntouch ${mark}\n`, 0o755);
    }
    const commit = repository.commit();
    repository.git('update-index', '--add', '--cacheinfo', `160000,${commit},sub`);
    repository.git('commit', '--quiet', '--message', 'a submodule');
    const url = `${await repository.listen()}/smart`;
    // After it was made: git itself, in the test, obeys them.
    const settings = `[filter "evil"]\nsmudge = ${program}\nclean = ${program}\nrequired = true\n[core]\nhooksPath = ${program}\nfsmonitor = ${program}\n[url "ext::${program}"]\ninsteadOf = http://\n`;
    writeFileSync(join(repository.root, '.gitconfig'), settings);
    using fetched = await fetch(url);
    expect(existsSync(mark)).toBe(false);
    expect(fetched.leftOut).toEqual(['sub (a submodule: another repository)']);
    expect(namesIn(fetched)).toContain('hidden');
    expect(textOf(fetched, 'a.txt')).toBe('$Id$ $Format:%H$\n');
    expect(repository.asked.every((path) => path.startsWith('/smart/'))).toBe(true);
  });

  it('ends and leaves nothing when it is too large, too slow or interrupted [SK2]', async () => {
    repository.write('SKILL.md', SKILL).write('noise', randomBytes(600_000)).commit();
    const base = await repository.listen();
    await expect(fetch(`${base}/smart`, { limits: { bytes: 100_000 } })).rejects.toMatchObject({
      code: 'blocked',
    });
    const soon = { milliseconds: 300, lookMilliseconds: 50, quietMilliseconds: 100 };
    await expect(fetch(`${base}/silent`, { limits: soon })).rejects.toMatchObject({ code: 'timeout' });
    expect(told[0]).toBe(`fetching ${base}/silent: 0.0 MiB so far`);
    const interrupted = new AbortController();
    const asked = repository.asked.length;
    const fetching = fetch(`${base}/silent`, { signal: interrupted.signal });
    const failed = expect(fetching).rejects.toMatchObject({ code: 'cancelled' });
    while (repository.asked.length === asked) await new Promise((resolve) => setTimeout(resolve, 10));
    interrupted.abort(new BulkheadError('cancelled', 'cancelled: nothing was done'));
    await failed;
    expect(left()).toEqual([]);
  });

  it('asks at no terminal, takes no settings with it, and the keys of an agent alone [SK2]', async () => {
    const programs = join(repository.root, 'bin');
    const seen = join(repository.root, 'seen');
    mkdirSync(programs);
    const ssh = `#!/bin/sh\n{ echo "$@"; env; } > ${seen}\necho 'Host key verification failed.' >&2\nexit 255\n`;
    writeFileSync(join(programs, 'ssh'), ssh, { mode: 0o755 });
    const settings = {
      GIT_SSH_COMMAND: 'false',
      GIT_CONFIG_COUNT: '1',
      SSH_AUTH_SOCK: '/agent',
      SSH_ASKPASS: 'x',
    };
    const path = `${programs}:${process.env['PATH']}`;
    await expect(fetch('git@example.org:mail.git', { path, env: settings })).rejects.toMatchObject({
      code: 'unauthenticated',
      message: 'ssh does not know the host of git@example.org:mail.git yet',
    });
    const [words = '', ...variables] = readFileSync(seen, 'utf8').split('\n');
    expect(words).toMatch(/^-oBatchMode=yes .*git@example\.org git-upload-pack 'mail\.git'$/);
    expect(variables).toContain('SSH_AUTH_SOCK=/agent');
    expect(variables).toContain('GIT_ALLOW_PROTOCOL=ssh');
    expect(variables.filter((line) => /^(SSH_ASKPASS|GIT_CONFIG_COUNT)=/.test(line))).toEqual([]);
    expect(variables).not.toContain(`HOME=${repository.root}`);
    expect(left()).toEqual([]);
  });

  it('says what is wrong and how to mend it [SK2]', async () => {
    repository.write('README.md', 'no skill').write('a\n\x1b[2J/SKILL.md', SKILL).commit();
    const base = await repository.listen();
    const failure = async (word: string, path?: string) =>
      await fetch(word, path === undefined ? {} : { path }).then(
        () => 'none',
        (cause) => `${BulkheadError.from(cause).message} | ${BulkheadError.from(cause).fix}`,
      );
    expect(await failure(`${base}/private`)).toMatch(/is not there, or asks for a login \| .*ssh agent/);
    expect(await failure(`${base}/nowhere`)).toContain(`there is no repository at ${base}/nowhere`);
    expect(await failure(`${base}/smart`)).toContain('holds no SKILL.md at its top | It is no skill.');
    expect(await failure(`${base}/smart`, layout.fetched)).toContain('git can not be started');
    // From an address without encryption no other one is followed.
    expect(await failure(`${base}/moved`)).toContain('git could not fetch');
    expect(left()).toEqual([]);
  });
});

function tar(args: readonly string[]): string {
  return execFileSync('tar', args, { encoding: 'utf8' });
}
