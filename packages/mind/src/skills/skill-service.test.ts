import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { skillFile, skillStage } from './testing/skill-stage.ts';

const PROFILE = 'home/profiles/default/skills';

describe('the skills of a home', () => {
  it('are found nearest first, of a folder only when it is trusted [SK1]', async () => {
    using stage = skillStage();
    stage.write('home/skills/tidy-notes/SKILL.md', skillFile('tidy-notes', 'global'));
    stage.write('home/skills/mail/SKILL.md', skillFile('mail', 'global'));
    stage.write(`${PROFILE}/mail/SKILL.md`, skillFile('mail', 'profile'));
    stage.write('work/.bulkhead/skills/mail/SKILL.md', skillFile('mail', 'folder'));
    const { library } = stage.open().services;
    const order = async () =>
      (await library.list(stage.folder)).skills
        .filter(({ name }) => name === 'mail' || name === 'tidy-notes')
        .map(({ name, origin, state, hiddenBy }) => [name, origin, state, hiddenBy]);
    expect(await order()).toEqual([
      ['mail', 'profile', 'unpinned', undefined],
      ['mail', 'global', 'unpinned', 'profile'],
      ['tidy-notes', 'global', 'unpinned', undefined],
      ['tidy-notes', 'built-in', 'pinned', 'global'],
    ]);
    await stage.trustFolder();
    expect((await order()).slice(0, 2)).toEqual([
      ['mail', 'folder', 'pinned', undefined],
      ['mail', 'profile', 'unpinned', 'folder'],
    ]);
    expect((await library.read('mail', stage.folder))?.manifest.body).toBe('folder');
    writeFileSync(join(stage.folder, '.bulkhead/skills/mail/SKILL.md'), skillFile('mail', 'changed'));
    expect((await library.read('mail', stage.folder))?.manifest.body).toBe('profile');
  });

  it('skip the bad ones and report each with file and line [SK1] [FT65]', async () => {
    using stage = skillStage();
    stage.write(`${PROFILE}/good/SKILL.md`, skillFile('good'));
    stage.write(`${PROFILE}/bomb/SKILL.md`, '---\nname: bomb\na: &x [1]\nb: *x\n---\n');
    stage.write(`${PROFILE}/Bad Name/SKILL.md`, skillFile('bad'));
    stage.write(`${PROFILE}/other/SKILL.md`, skillFile('another'));
    stage.write(`${PROFILE}/empty/README.md`, 'no skill file');
    stage.write(`${PROFILE}/big/SKILL.md`, Buffer.alloc(50 * 1024 * 1024, 'x'));
    stage.write(`${PROFILE}/README.md`, 'beside the skills');
    symlinkSync(stage.folder, join(stage.root, PROFILE, 'linked'));
    stage.write(`${PROFILE}/inner/SKILL.md`, skillFile('inner'));
    symlinkSync('/etc/passwd', join(stage.root, PROFILE, 'inner/secret.md'));
    const { skills, warnings } = await stage.open().services.library.list('');
    expect(skills.filter(({ origin }) => origin === 'profile').map(({ name }) => name)).toEqual(['good']);
    const of = (name: string) => warnings.find((warning) => warning.includes(`/${name}`)) ?? '';
    expect(of('bomb')).toContain('/bomb/SKILL.md:3:7: an anchor is not allowed');
    expect(of('Bad Name')).toContain('a folder of a skill is named by');
    expect(of('other')).toContain('/other/SKILL.md:2: name is "another"');
    expect(of('empty')).toContain('/empty/SKILL.md:1: is missing');
    expect(of('big')).toContain('/big/SKILL.md:1:');
    expect(of('linked')).toContain('links are not followed');
    expect(of('inner')).toContain('links are not followed');
    expect(warnings).toHaveLength(7);
  });

  it('sees a change without a restart, and reads nothing that has not changed [SK1]', async () => {
    using stage = skillStage();
    const file = stage.write(`${PROFILE}/mail/SKILL.md`, skillFile('mail'));
    const { library } = stage.open().services;
    const own = async () => (await library.list('')).skills.find(({ name }) => name === 'mail');
    const before = await own();
    const read = statSync(file).atimeMs;
    expect(await own()).toEqual(before);
    expect(statSync(file).atimeMs).toBe(read);
    writeFileSync(file, skillFile('mail', 'new words'));
    expect((await own())?.hash).not.toBe(before?.hash);
  });
});

describe('a person and a skill', () => {
  it('installs what was shown, pins it, and says so in the audit log first [SK2]', async () => {
    using stage = skillStage();
    stage.write('src/mail/SKILL.md', skillFile('mail', 'Write.', 'allowed-tools: bash(*)\n'));
    stage.write('src/mail/.git/config', 'not a part of it');
    chmodSync(stage.write('src/mail/run.sh', 'echo'), 0o755);
    const { service, library } = stage.open().services;
    const source = join(stage.root, 'src/mail');
    const { skill, installed } = await service.inspect({ source, fetchedFrom: '' });
    expect(skill.files.files.map(({ path }) => path)).toEqual(['SKILL.md', 'run.sh']);
    expect([installed, skill.leftOut.length]).toEqual([[], 1]);
    expect(readdirSync(join(stage.root, 'home'))).toEqual(['state']);
    const done = await service.install({ source, fetchedFrom: '' }, skill.hash, 'profile');
    expect(done).toEqual({ location: `${stage.places.profile}/mail/SKILL.md`, replaced: false });
    expect((await library.read('mail', ''))?.listed).toMatchObject({ state: 'pinned', hash: skill.hash });
    expect(statSync(stage.places.pins.profile).mode & 0o777).toBe(0o600);
    expect(stage.audited).toMatchObject([
      { step: 'SKILL_INSTALLED', details: { name: 'mail', origin: 'profile', hash: skill.hash, files: 2 } },
    ]);
    expect(await service.install({ source, fetchedFrom: '' }, skill.hash, 'profile')).toMatchObject({
      replaced: true,
    });
    expect(readdirSync(stage.places.profile)).toEqual(['mail']);
    expect((await stage.open().services.library.read('mail', ''))?.listed.state).toBe('pinned');
  });

  it('keeps where a fetched one came from, with its pin and in the audit log [SK2]', async () => {
    using stage = skillStage();
    stage.write('src/mail/SKILL.md', skillFile('mail'));
    const { service, library } = stage.open().services;
    const address = { source: join(stage.root, 'src/mail'), fetchedFrom: `https://host/x#${'a'.repeat(40)}` };
    const { hash } = (await service.inspect(address)).skill;
    await service.install(address, hash, 'profile');
    expect(stage.audited).toMatchObject([{ details: { fetchedFrom: address.fetchedFrom } }]);
    const fetchedFrom = async () =>
      (await stage.open().services.library.list('')).skills.find(({ name }) => name === 'mail')?.fetchedFrom;
    expect(await fetchedFrom()).toBe(address.fetchedFrom);
    expect((await library.read('mail', ''))?.listed.fetchedFrom).toBe(address.fetchedFrom);
    stage.write('src/mail/SKILL.md', 'broken');
    await expect(service.inspect(address)).rejects.toThrow(address.fetchedFrom);
    await expect(service.inspect({ ...address, fetchedFrom: 'a\nb' })).rejects.toMatchObject({
      code: 'usage',
    });
    // Confirmed by hand: its author is unknown.
    stage.write('home/profiles/default/skills/mail/SKILL.md', skillFile('mail', 'other'));
    await service.pin('mail', (await library.read('mail', ''))?.hash ?? '', 'profile');
    expect(await fetchedFrom()).toBe('');
  });

  it('refuses what is not as it was shown [SK2]', async () => {
    using stage = skillStage();
    const file = stage.write('src/mail/SKILL.md', skillFile('mail'));
    const source = join(stage.root, 'src/mail');
    const { service } = stage.open().services;
    const { hash } = (await service.inspect({ source, fetchedFrom: '' })).skill;
    writeFileSync(file, skillFile('mail', 'evil'));
    await expect(service.install({ source, fetchedFrom: '' }, hash, 'profile')).rejects.toMatchObject({
      code: 'blocked',
    });
    expect(existsSync(stage.places.profile)).toBe(false);
    stage.write(`${PROFILE}/mail/SKILL.md`, skillFile('mail', 'other'));
    await expect(service.pin('mail', hash, 'profile')).rejects.toMatchObject({ code: 'blocked' });
    await expect(service.pin('none', hash, 'profile')).rejects.toMatchObject({ code: 'not_found' });
    await expect(service.pin('../mail', hash, 'profile')).rejects.toMatchObject({ code: 'not_found' });
    expect(stage.audited).toEqual([]);
  });

  it.each([
    ['a byte', (place: string) => writeFileSync(`${place}/SKILL.md`, skillFile('mail', 'Evil.'))],
    ['a new file', (place: string) => writeFileSync(`${place}/more.md`, 'x')],
    ['the right to run', (place: string) => chmodSync(`${place}/SKILL.md`, 0o700)],
  ])('puts it under quarantine when it changes: %s [SK2]', async (_name, change) => {
    using stage = skillStage();
    stage.write('src/mail/SKILL.md', skillFile('mail'));
    const { service, library } = stage.open().services;
    const { hash } = (await service.inspect({ source: join(stage.root, 'src/mail'), fetchedFrom: '' })).skill;
    await service.install({ source: join(stage.root, 'src/mail'), fetchedFrom: '' }, hash, 'profile');
    change(`${stage.places.profile}/mail`);
    const now = (await library.read('mail', ''))?.listed;
    expect(now?.state).toBe('changed');
    expect((await library.list('')).skills.find(({ name }) => name === 'mail')?.state).toBe('changed');
    await service.pin('mail', now?.hash ?? '', 'profile');
    expect((await library.read('mail', ''))?.listed.state).toBe('pinned');
  });

  it.each([
    ['is damaged', (pins: string) => writeFileSync(pins, '{}', { mode: 0o600 })],
    ['others can read', (pins: string) => chmodSync(pins, 0o644)],
  ])('pins nothing by a list that %s', async (_name, spoil) => {
    using stage = skillStage();
    stage.write('src/mail/SKILL.md', skillFile('mail'));
    const { service } = stage.open().services;
    const { hash } = (await service.inspect({ source: join(stage.root, 'src/mail'), fetchedFrom: '' })).skill;
    await service.install({ source: join(stage.root, 'src/mail'), fetchedFrom: '' }, hash, 'global');
    spoil(stage.places.pins.profile);
    const { library } = stage.open().services;
    const { skills, warnings } = await library.list('');
    expect(skills.find(({ name }) => name === 'mail')?.state).toBe('unpinned');
    expect(warnings.join()).toContain('skills.json');
  });

  it('can not be pinned as it was made: what is to be filled in is no guidance [SK2]', async () => {
    using stage = skillStage();
    const { service, library } = stage.open().services;
    const location = service.create('my-task', 'profile');
    const pin = async () =>
      await service.pin('my-task', (await library.read('my-task', ''))?.hash ?? '', 'profile');
    await expect(pin()).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('SKILL.md:3 '),
    });
    const filled = readFileSync(location, 'utf8').replace(
      /^description: .*$/m,
      'description: Waters plants.',
    );
    writeFileSync(location, filled);
    await expect(pin()).rejects.toMatchObject({ message: expect.stringContaining('SKILL.md:8 ') });
    writeFileSync(location, '---\nname: my-task\ndescription: Waters plants.\n---\nTwice a week.\n');
    await pin();
    expect((await library.read('my-task', ''))?.listed.state).toBe('pinned');
  });

  it('begins one to be filled in, and removes it with its pin [SK2]', async () => {
    using stage = skillStage();
    const { service, library } = stage.open().services;
    const location = service.create('my-task', 'profile');
    expect(readFileSync(location, 'utf8')).toContain('name: my-task\n');
    expect((await library.read('my-task', ''))?.listed.state).toBe('unpinned');
    expect(() => service.create('my-task', 'profile')).toThrow('there is a skill my-task already');
    expect(() => service.create('../x', 'profile')).toThrow("can't be the name of a skill");
    expect(await service.remove('my-task', 'profile')).toBe(true);
    expect(await service.remove('my-task', 'profile')).toBe(false);
    await expect(service.remove('tidy-notes', 'profile')).rejects.toThrow('skill tidy-notes is built in');
    await expect(service.remove('../state', 'profile')).rejects.toMatchObject({ code: 'usage' });
    expect(existsSync(stage.layout.state)).toBe(true);
    expect(readdirSync(stage.places.profile)).toEqual([]);
  });

  it('takes no archive that leads anywhere else, and leaves no trace of one [FT66]', async () => {
    using stage = skillStage();
    const { service } = stage.open().services;
    const evil = stage.write('evil.tgz', gzipSync(Buffer.alloc(64 * 1024 * 1024)));
    await expect(service.inspect({ source: evil, fetchedFrom: '' })).rejects.toMatchObject({
      code: 'blocked',
    });
    await expect(service.inspect({ source: 'relative', fetchedFrom: '' })).rejects.toMatchObject({
      code: 'usage',
    });
    await expect(service.inspect({ source: '/dev/zero', fetchedFrom: '' })).rejects.toMatchObject({
      code: 'usage',
    });
    symlinkSync('/etc', join(stage.root, 'link'));
    await expect(
      service.inspect({ source: join(stage.root, 'link'), fetchedFrom: '' }),
    ).rejects.toMatchObject({
      code: 'usage',
    });
    await expect(service.inspect({ source: '/proc/self', fetchedFrom: '' })).rejects.toMatchObject({
      code: 'usage',
    });
    await expect(service.inspect({ source: '/nowhere/x', fetchedFrom: '' })).rejects.toMatchObject({
      code: 'usage',
    });
    expect(readdirSync(stage.root).toSorted()).toEqual(['evil.tgz', 'home', 'link', 'work']);
    expect(readdirSync(join(stage.root, 'home'))).toEqual(['state']);
  });
});
