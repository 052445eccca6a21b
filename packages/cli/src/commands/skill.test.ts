import { create } from '@bufbuild/protobuf';
import { expandEntry } from '@bulkhead/client';
import { scriptedClient } from '@bulkhead/client/testing';
import {
  ExpandTemplateResponseSchema,
  InspectFolderResponseSchema,
  ListSkillsResponseSchema,
  ListTemplatesResponseSchema,
  SkillState,
  TrustState,
} from '@bulkhead/protocol/client';
import { GitRepository, HAS_GIT } from '@bulkhead/testkit/git';
import { describe, expect, it } from 'vitest';
import { COMMAND_NAMES } from '../chat/commands/chat-commands.ts';
import { showSkills } from '../chat/commands/mind-commands.ts';
import { dispatch } from '../dispatch.ts';
import { Output } from '../output/output.ts';
import { noScript, ScriptedEngine } from '../testing/scripted-engine.ts';
import { testEnvironment } from '../testing/test-environment.ts';
import { testHome } from '../testing/test-home.ts';

/** Sets a terminal's title; as plain text it is harmless. */
const ATTACK = '\x1b]0;owned\x07';
const HASH = 'a'.repeat(64);

const SUMMARY = {
  name: 'mail',
  description: `Writes mail${ATTACK}`,
  origin: 'profile',
  location: '/h/mail/SKILL.md',
  state: SkillState.CHANGED,
  hiddenBy: '',
  hash: HASH,
  fetchedFrom: '',
};
const MANIFEST = {
  name: 'mail',
  description: `Writes mail${ATTACK}`,
  license: 'MIT',
  wishes: [`allowed-tools: bash(*)${ATTACK}`],
  files: [
    { path: 'SKILL.md', size: 10n },
    { path: 'run.sh', size: 4n, executable: true },
  ],
  hash: HASH,
  hiddenCharacters: 2,
};

async function skill(
  argv: readonly string[],
  typed?: string,
  onTerminal = typed !== undefined,
  { replaced = true, env = {} }: { readonly replaced?: boolean; readonly env?: Record<string, string> } = {},
) {
  using home = testHome();
  const engine = new ScriptedEngine(home.layout, noScript);
  const asked: unknown[] = [];
  engine.answers = {
    listSkills: ({ workingFolder }) => ({
      skills: [
        SUMMARY,
        { ...SUMMARY, origin: 'built-in', state: SkillState.PINNED, hiddenBy: 'profile' },
        { ...SUMMARY, name: 'review', origin: 'built-in', state: SkillState.PINNED },
      ],
      warnings: [`bad/SKILL.md:2: no${ATTACK}`, workingFolder],
    }),
    readSkill: () => ({ summary: SUMMARY, manifest: MANIFEST, body: `Do it.${ATTACK}` }),
    inspectSkill: ({ source, fetchedFrom }) => {
      asked.push(['inspect', source, ...(fetchedFrom === '' ? [] : [fetchedFrom])]);
      if (source.endsWith('none')) return {};
      return {
        manifest: MANIFEST,
        installed: replaced ? ['profile'] : ['global'],
        leftOut: [`.git${ATTACK}`],
      };
    },
    installSkill: ({ source, hash, global, fetchedFrom }) => {
      asked.push(['install', source, hash, global, ...(fetchedFrom === '' ? [] : [fetchedFrom])]);
      return { location: '/h/mail/SKILL.md', replaced };
    },
    pinSkill: ({ name, hash, global }) => {
      asked.push(['pin', name, hash, global]);
      return {};
    },
    removeSkill: ({ name }) => ({ removed: asked.push(['remove', name]) > 0 }),
    inspectFolder: ({ folder }) => ({
      folder,
      state: TrustState.UNTRUSTED,
      files: [
        { path: 'AGENTS.md' },
        { path: '.bulkhead/skills/deploy/SKILL.md' },
        { path: '.bulkhead/skills/deploy/run.sh' },
        { path: '.bulkhead/templates/fix-it.md' },
      ],
    }),
    createSkill: ({ name }) => ({ location: `/h/${name}/SKILL.md` }),
  };
  await engine.listen();
  const terminal = onTerminal ? (['stdin', 'stdout', 'stderr'] as const) : [];
  const environment = testEnvironment(home.layout, { cwd: '/w', terminal: [...terminal], env });
  const called = dispatch(['skill', ...argv], environment);
  if (typed !== undefined) void environment.until('[y/N]').then(() => environment.stdin.write(typed));
  const code = await called;
  await engine.close();
  return { code, asked, out: environment.out(), err: environment.err() };
}

describe('bulkhead skill', () => {
  it('lists what counts, what is hidden and what could not be used, harmless on a terminal [SK2]', async () => {
    const { code, out, err } = await skill(['list'], undefined, true);
    expect(code).toBe(0);
    expect(out).toContain(
      'mail  (profile, changed: data, not guidance until `bulkhead skill pin mail`)  Writes mail\\x1b]0;owned',
    );
    expect(out).toContain('mail  (built-in, hidden by the one of profile)');
    expect(err).toContain('not used: bad/SKILL.md:2: no\\x1b]0;owned');
    expect(err).toContain('not used: /w');
    expect(err).toContain(
      'not used: skill deploy, template fix-it of this folder, which is not trusted: `bulkhead trust`',
    );
    const json = JSON.parse((await skill(['list', '--json'])).out);
    expect(json.skills[1]).toMatchObject({ name: 'mail', state: 'pinned', hiddenBy: 'profile', hash: HASH });
    expect((await skill(['show', 'mail'], undefined, true)).out).toContain('Do it.\\x1b]0;owned');
  });

  it('shows what a skill asks for and its hash before it asks, and takes no for an answer [SK2] [FT67]', async () => {
    const no = await skill(['install', 'src/mail'], '\n');
    expect(no).toMatchObject({ code: 3, asked: [['inspect', '/w/src/mail']] });
    expect(no.err).toContain(
      'It requests the following; none of it is granted:\n  allowed-tools: bash(*)\\x1b]0;owned',
    );
    expect(no.err).toContain('run.sh  program');
    expect(no.err).toContain('2 invisible characters');
    expect(no.err).toContain(`hash ${HASH}`);
    expect(no.err).toContain('It replaces the one that is installed.');
    const yes = await skill(['install', 'src/mail', '--global'], 'y\n');
    expect(yes).toMatchObject({ code: 0, out: 'replaced /h/mail/SKILL.md\n' });
    expect(yes.asked[1]).toEqual(['install', '/w/src/mail', HASH, true]);
  });

  it.each([
    [['--yes'], 3],
    [['--yes', '--hash', 'b'.repeat(64)], 3],
    [[], 3],
    [['--json'], 3],
    [['--yes', '--hash', HASH], 0],
  ])('installs unasked only by hash: %j gives %i [SK2]', async (options, code) => {
    const called = await skill(['install', 'src/mail', ...options]);
    expect(called.code).toBe(code);
    expect(called.asked).toHaveLength(code === 0 ? 2 : 1);
    expect((await skill(['pin', 'mail', ...options])).asked).toHaveLength(code === 0 ? 1 : 0);
  });

  it('says whether one of that name is replaced, and what is left out', async () => {
    const fresh = await skill(['install', 'src/mail'], 'y\n', true, { replaced: false });
    expect(fresh).toMatchObject({ code: 0, out: 'installed /h/mail/SKILL.md\n' });
    expect(fresh.asked[1]).toEqual(['install', '/w/src/mail', HASH, false]);
    expect(fresh.err).not.toContain('It replaces');
    expect(fresh.err).toContain('left out: .git\\x1b]0;owned\n');
    expect(fresh.err).not.toContain('fetched from');
    const other = await skill(['install', 'src/mail', '--global'], 'n\n', true, { replaced: false });
    expect(other.err).toContain('It replaces the one that is installed.');
    expect(other.err).toMatch(/nothing was changed\n$/);
    const global = await skill(['install', 'src/mail', '--global'], 'n\n');
    expect(global.err).not.toContain('It replaces');
    expect(await skill(['install', 'none'])).toMatchObject({ code: 1, asked: [['inspect', '/w/none']] });
  });

  it('gives programs the facts, and whether it was done', async () => {
    const facts = { name: 'mail', hash: HASH };
    const approved = ['--json', '--yes', '--hash', HASH];
    const done = await skill(['install', 'src/mail', ...approved]);
    expect([done.code, done.err]).toEqual([0, '']);
    const location = '/h/mail/SKILL.md';
    expect(JSON.parse(done.out)).toMatchObject({ ...facts, installed: true, location, replaced: true });
    expect(JSON.parse(done.out)).not.toHaveProperty('fetchedFrom');
    const not = await skill(['install', 'src/mail', '--json']);
    expect(JSON.parse(not.out)).toMatchObject({ ...facts, installed: false });
    const pinned = await skill(['pin', 'mail', ...approved]);
    expect(pinned).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(pinned.out)).toEqual({ ...facts, pinned: true });
  });

  it('pins what the place of the option has, and says what no one can look at', async () => {
    const elsewhere = await skill(['pin', 'mail', '--global'], undefined, true);
    expect(elsewhere).toMatchObject({ code: 1, asked: [] });
    expect(elsewhere.err).toContain('there is no skill "mail" in global that can be read');
    expect((await skill(['pin', 'mail'], 'y\n')).out).toBe('pinned mail\n');
  });

  it.skipIf(!HAS_GIT)('installs what it fetched, names the source, and leaves nothing [SK2]', async () => {
    await using repository = new GitRepository();
    const commit = repository.write('SKILL.md', '---\nname: mail\ndescription: d\n---\n').commit();
    const url = `${await repository.listen()}/smart`;
    const env = { PATH: process.env['PATH'] ?? '', HOME: repository.root };
    const fetchedFrom = `${url}#${commit}`;
    const done = await skill(['install', url], 'y\n', true, { env });
    expect(done.code).toBe(0);
    expect(done.err).toContain(`fetched from ${fetchedFrom}\n`);
    const archive = expect.stringMatching(/skill\.tar$/);
    expect(done.asked).toEqual([
      ['inspect', archive, fetchedFrom],
      ['install', archive, HASH, false, fetchedFrom],
    ]);
    const json = await skill(['install', url, '--json'], undefined, false, { env });
    expect(JSON.parse(json.out)).toMatchObject({ fetchedFrom, installed: false });
  });

  it('fetches from no address that is not safe, and does not repeat it [SK2]', async () => {
    const { code, out, err, asked } = await skill(['install', 'https://ada:secret@example.org/x.git']);
    expect([code, asked]).toEqual([2, []]);
    expect(err).toContain('the address holds a name or a password');
    expect(out + err).not.toContain('secret');
  });

  it('pins after showing the whole text, removes only after confirmation, creates one', async () => {
    const { asked, err } = await skill(['pin', 'mail'], 'y\n');
    expect(asked).toEqual([['pin', 'mail', HASH, false]]);
    expect(err).toContain('Do it.\\x1b]0;owned');
    expect((await skill(['pin', 'other', '--yes', '--hash', HASH])).asked).toEqual([]);
    expect((await skill(['remove', 'mail'])).code).toBe(3);
    expect((await skill(['remove', 'mail', '--yes'])).asked).toEqual([['remove', 'mail']]);
    const gone = await skill(['remove', 'mail'], 'y\n');
    expect(gone).toMatchObject({ code: 0, out: 'mail is removed\n' });
    expect((await skill(['new', 'mine'])).out).toBe('/h/mine/SKILL.md\n');
  });
});

it.each([
  [['review'], 2, 'came with the product and can not be removed'],
  [['mial'], 1, 'there is no skill "mial" (did you mean "mail"?)'],
  [['mail', '--global'], 2, 'is installed for this profile alone. Leave out --global.'],
])('says before it asks that it can not remove %j [SK2]', async (words, code, reason) => {
  const called = await skill(['remove', ...words, '--yes'], undefined, true);
  expect(called).toMatchObject({ code, asked: [], out: '' });
  expect(called.err).toContain(reason);
});

it('Ctrl-C at a question prints a message and changes nothing', async () => {
  using home = testHome();
  const engine = new ScriptedEngine(home.layout, noScript);
  const removed: string[] = [];
  engine.answers = {
    listSkills: () => ({ skills: [SUMMARY] }),
    removeSkill: ({ name }) => ({ removed: removed.push(name) > 0 }),
  };
  await engine.listen();
  const environment = testEnvironment(home.layout, { cwd: '/w', terminal: ['stdin', 'stdout', 'stderr'] });
  const called = dispatch(['skill', 'remove', 'mail'], environment);
  await environment.until('[y/N]');
  environment.interrupt();
  expect(await called).toBe(130);
  expect(environment.err()).toMatch(/\[y\/N\] \s+bulkhead: cancelled: nothing was changed\n$/);
  expect(removed).toEqual([]);
  await engine.close();
});

describe('skills in the chat', () => {
  const client = scriptedClient({
    listSkills: async () => create(ListSkillsResponseSchema, { skills: [SUMMARY] }),
    listTemplates: async () =>
      create(ListTemplatesResponseSchema, {
        templates: [
          { name: 'fix', description: 'Fixes', origin: 'profile' },
          { name: 'compact', description: 'Mine', origin: 'profile' },
        ],
      }),
    inspectFolder: async () =>
      create(InspectFolderResponseSchema, {
        state: TrustState.CHANGED,
        files: [{ path: '.bulkhead/templates/tidy.md' }],
      }),
    expandTemplate: async ({ name, arguments: given }) =>
      create(ExpandTemplateResponseSchema, { text: `${name}|${given}` }),
  });

  it('expands an entry by the template of its name [SK3]', async () => {
    expect(await expandEntry(client, '/w', '/fix  a b\nc ')).toBe('fix|a b\nc');
    expect(await expandEntry(client, '/w', '/fix')).toBe('fix|');
    expect(await expandEntry(client, '/w', '/../x')).toBeUndefined();
  });

  it('shows both, and says why others are never reached [SK1] [SK3]', async () => {
    using home = testHome();
    const environment = testEnvironment(home.layout, { cwd: '/w', terminal: [] });
    await showSkills(client, '/w', new Output(environment.stdout, {}), COMMAND_NAMES);
    expect(environment.out()).toContain('mail  (profile, changed');
    expect(environment.out()).toContain('/fix  Fixes');
    expect(environment.out()).toContain(
      'not used: template /compact  Mine: /compact is a command; rename the file\n',
    );
    expect(environment.out()).toContain(
      'not used: template tidy of this folder, which has changed since it was trusted: `bulkhead trust`\n',
    );
  });
});
