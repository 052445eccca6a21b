import { readdirSync } from 'node:fs';
import { GitRepository, HAS_GIT } from '@bulkhead/testkit/git';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { skillFile, skillStage } from './testing/skill-stage.ts';

describe.skipIf(!HAS_GIT)('a skill that the engine fetches (skipped where git is not installed)', () => {
  let repository: GitRepository;

  beforeEach(() => {
    repository = new GitRepository();
  });
  afterEach(() => repository[Symbol.asyncDispose]());

  it('is installed as it was looked at, by its commit, and nothing of the fetch is left [SK2]', async () => {
    using stage = skillStage();
    const { services } = stage.open();
    const { fetcher, service, library } = services;
    const commit = repository.write('s/SKILL.md', skillFile('mail')).commit();
    const address = `${await repository.listen()}/smart#main:s`;
    const signal = new AbortController().signal;
    using first = await fetcher.fetch(address, signal);
    expect(first.fetchedFrom).toBe(address.replace('#main', `#${commit}`));
    const { skill } = await service.inspect({ source: first.archive, fetchedFrom: first.fetchedFrom });
    // The branch has moved on since the inspection.
    repository.write('s/SKILL.md', skillFile('mail', 'Something else.')).commit();
    repository.publish();
    using second = await fetcher.fetch(first.fetchedFrom, signal);
    await service.install({ source: second.archive, fetchedFrom: second.fetchedFrom }, skill.hash, 'profile');
    const installed = (await library.list('')).skills.find(({ name }) => name === 'mail');
    expect(installed).toMatchObject({ hash: skill.hash, fetchedFrom: first.fetchedFrom, state: 'pinned' });
    using third = await fetcher.fetch(address, signal);
    const changed = service.install(
      { source: third.archive, fetchedFrom: third.fetchedFrom },
      skill.hash,
      'profile',
    );
    await expect(changed).rejects.toMatchObject({ code: 'blocked' });
  });

  it('is fetched one at a time, and given up with its call [SK2]', async () => {
    using stage = skillStage();
    const { fetcher } = stage.open().services;
    const silent = `${await repository.listen()}/silent`;
    const left = new AbortController();
    const first = fetcher.fetch(silent, left.signal);
    await expect(fetcher.fetch(silent, left.signal)).rejects.toMatchObject({ code: 'busy' });
    left.abort();
    await expect(first).rejects.toMatchObject({ code: 'cancelled' });
    expect(readdirSync(stage.layout.fetched)).toEqual([]);
  });
});
