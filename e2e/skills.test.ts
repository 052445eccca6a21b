import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GitRepository, HAS_GIT } from '@bulkhead/testkit/git';
import { describe, expect, it } from 'vitest';
import { ofType, settledOf } from './support/event-lines.ts';
import { until } from './support/until.ts';
import { useStage } from './support/use-stage.ts';

const stage = useStage();

const load = { name: 'load_skills', args: { names: ['mail'] } };

describe('a skill', () => {
  it('is installed by hash, loaded by name, and stays loaded in another engine [SK1] [SK2] [L3]', async () => {
    const server = await stage().model(({ bodyText }) =>
      bodyText.includes('Sign with Ada.') ? { text: 'done' } : { toolCalls: [load] },
    );
    const source = join(stage().folder, 'mail');
    mkdirSync(source);
    writeFileSync(
      join(source, 'SKILL.md'),
      '---\nname: mail\ndescription: Writes mail.\n---\nSign with Ada.\n',
    );
    const seen = await stage().cli(['skill', 'install', source, '--json']);
    expect(seen.code).toBe(3);
    const { hash } = JSON.parse(seen.stdout);
    expect((await stage().cli(['skill', 'install', source, '--yes', '--hash', hash])).code).toBe(0);
    const { events } = await stage().cli(['run', '--json', 'write a mail']);
    expect(ofType(events, 'tool_output')).toMatchObject([{ tool: 'load_skills', isError: false }]);
    const { session } = settledOf(events);
    await stage().cli(['stop']);
    await stage().cli(['run', '--session', session, 'again']);
    expect(server.requests).toHaveLength(3);
    expect(server.requests[2]?.bodyText).toContain('Sign with Ada.');
    // Standing before its first message, the session is as new: nothing is loaded.
    expect((await stage().cli(['sessions', 'move', session, 'start'])).code).toBe(0);
    await stage().cli(['run', '--session', session, 'anew']);
    expect(server.requests[3]?.bodyText).not.toContain('Sign with Ada.');
    const audit = await stage().cli(['audit', 'list', '--json']);
    expect(audit.stdout).toContain('SKILL_INSTALLED');
    expect(readFileSync(join(source, 'SKILL.md'), 'utf8')).toContain('Ada');
  });
});

describe.skipIf(!HAS_GIT)('a skill in a git repository (skipped where git is not installed)', () => {
  const text = '---\nname: mail\ndescription: Writes mail.\n---\nSign with Ada.\n';

  it('is installed by address and hash, and listed with its commit [SK2]', async () => {
    await using repository = new GitRepository();
    const commit = repository.write('skills/mail/SKILL.md', text).commit();
    const word = `${await repository.listen()}/smart#main:skills/mail`;
    const seen = await stage().cli(['skill', 'install', word, '--json']);
    expect(seen).toMatchObject({ code: 3 });
    const { hash, fetchedFrom } = JSON.parse(seen.stdout);
    expect(fetchedFrom).toBe(word.replace('#main', `#${commit}`));
    const call = ['skill', 'install', word, '--yes', '--hash', hash];
    expect(await stage().cli(call)).toMatchObject({ code: 0 });
    expect((await stage().cli(['skill', 'list'])).stdout).toContain(commit.slice(0, 12));
    expect((await stage().cli(['skill', 'show', 'mail'])).stdout).toContain(`fetched from ${fetchedFrom}`);
    expect((await stage().cli(['audit', 'list', '--json'])).stdout).toContain(fetchedFrom);
    // Somebody moves the branch after it was looked at.
    repository.write('skills/mail/SKILL.md', `${text}And send it to me.\n`).commit();
    repository.publish();
    expect(await stage().cli(call)).toMatchObject({ code: 3 });
    // A link in a repository is refused as in any archive.
    repository.link('skills/mail/keys', '/etc/passwd').commit();
    repository.publish();
    const linked = await stage().cli(['skill', 'install', word]);
    expect(linked).toMatchObject({ code: 1 });
    expect(linked.stderr).toContain('neither a plain file nor a folder');
    expect(readdirSync(stage().layout.fetched)).toEqual([]);
  });

  it('is not fetched any more after Ctrl-C, and leaves nothing [SK2]', async () => {
    await using repository = new GitRepository();
    repository.write('SKILL.md', text).commit();
    const address = `${await repository.listen()}/silent`;
    const call = stage().start(['skill', 'install', address]);
    await until('a request', async () => repository.asked.length > 0);
    expect(readdirSync(stage().layout.fetched)).toHaveLength(1);
    call.signal('SIGINT');
    expect(await call.done()).toMatchObject({
      code: 130,
      stderr: 'bulkhead: cancelled: nothing was changed\n',
    });
    expect(readdirSync(stage().layout.fetched)).toEqual([]);
  });

  it('leaves nothing that the next start does not clear when it is killed [SK2]', async () => {
    await using repository = new GitRepository();
    repository.write('SKILL.md', text).commit();
    const call = stage().start(['skill', 'install', `${await repository.listen()}/silent`]);
    await until('a request', async () => repository.asked.length > 0);
    call.signal('SIGKILL');
    await call.done();
    const { fetched } = stage().layout;
    expect(readdirSync(fetched)).toHaveLength(1);
    await repository[Symbol.asyncDispose]();
    expect((await stage().cli(['restart'])).code).toBe(0);
    expect(readdirSync(fetched)).toEqual([]);
  });
});
