import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ofType } from './support/event-lines.ts';
import type { Stage } from './support/stage.ts';
import { unjudgedCommands } from './support/unjudged-commands.ts';
import { useStage } from './support/use-stage.ts';
import { bash } from './support/waiting-command.ts';

const stage = useStage();

const CANARY = 'canary-in-a-closed-file';

interface Call {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const read = (path: string): Call => ({ name: 'read', args: { path } });
const write = (path: string): Call => ({ name: 'write', args: { path, content: 'planted' } });

/** A run whose last action was refused would end with a code of its own. */
const HARMLESS: Call = { name: 'ls', args: {} };

/** Lets a model make these calls, one after the other, and tells each result and whether the canary reached the model. */
async function attempt(at: Stage, calls: readonly Call[], options: readonly string[] = [], config = '') {
  const rounds = [...calls, HARMLESS].map((call) => ({ toolCalls: [call] }));
  const server = await at.model([...rounds, { text: 'done' }], { config });
  const { code, events } = await at.cli(['run', '--json', ...options, 'go']);
  expect(code).toBe(0);
  const results = ofType(events, 'tool_output').map(({ text }) => text);
  expect(results).toHaveLength(rounds.length);
  return { results, leaked: JSON.stringify([server.requests, events]).includes(CANARY) };
}

/** A folder as somebody hostile may hand it over. */
function plant(at: Stage): void {
  mkdirSync(join(at.userHome, '.ssh'));
  for (const path of [join(at.userHome, '.ssh/key'), join(at.userHome, 'diary')]) writeFileSync(path, CANARY);
  writeFileSync(join(at.layout.root, 'own-file'), CANARY);
  at.write('docs/.env', CANARY);
  linkSync(join(at.userHome, '.ssh/key'), join(at.folder, 'style-guide.md'));
  linkSync(join(at.layout.root, 'own-file'), join(at.folder, 'notes.md'));
  linkSync(join(at.folder, 'docs/.env'), join(at.folder, 'example.md'));
  symlinkSync(join(at.userHome, 'diary'), join(at.folder, 'link.md'));
  symlinkSync('docs/.env', join(at.folder, 'near.md'));
  writeFileSync(join(at.folder, 'docs/.\u0435nv'), CANARY);
  writeFileSync(join(at.folder, '.ｎetrc'), CANARY);
  execFileSync('mkfifo', [join(at.folder, '.gitignore')]);
  symlinkSync('.vscode', join(at.folder, 'assets'));
}

/** Bind mounts are for root. */
const canMount = process.getuid?.() === 0;

describe('a protected file under another name', () => {
  it('is closed to every command too, wherever the link was made from [A2] [FT13]', async () => {
    plant(stage());
    // Nothing but the link itself would keep it from the command.
    writeFileSync(join(stage().folder, 'plain.md'), 'plain');
    linkSync(join(stage().folder, 'plain.md'), join(stage().folder, 'plain-too.md'));
    const config = unjudgedCommands(stage());
    const command = 'cat plain-too.md; cat style-guide.md notes.md example.md docs/.env; echo; ls';
    const { results, leaked } = await attempt(stage(), [bash(command)], [], config);
    expect(leaked).toBe(false);
    expect(results[0]).toContain('plain');
    expect(results[0]).toContain('style-guide.md');
  });

  it('is not opened where it is linked while the session goes on [A2] [FT13]', async () => {
    plant(stage());
    const links = ['style-guide.md', 'notes.md', 'late.md'].map((name) => join(stage().folder, name));
    const server = await stage().model(({ bodyText }) => {
      const done = bodyText.split('"role":"tool"').length - 1;
      // Made by a person, between two calls of one answer, and moved over what was read a moment ago.
      if (done === 1) linkSync(join(stage().layout.root, 'own-file'), join(stage().folder, 'fresh'));
      if (done === 1) renameSync(join(stage().folder, 'fresh'), links[2] ?? '');
      return done < 3 ? { toolCalls: [read('late.md')] } : { text: 'done' };
    });
    stage().write('late.md', 'as it was');
    const { events } = await stage().cli(['run', '--json', 'go']);
    const texts = ofType(events, 'tool_output').map(({ text }) => text);
    expect(texts[0]).toContain('as it was');
    expect(texts[1]).toContain('is protected under another name');
    expect(JSON.stringify([server.requests, events])).not.toContain(CANARY);
  });

  it.runIf(canMount)(
    'is not opened where a mount shows it: home, a part of it, a folder around it, one file [A2] [FT13]',
    async () => {
      plant(stage());
      const { layout, userHome, folder } = stage();
      const mounts: readonly (readonly [from: string, to: string])[] = [
        [layout.root, 'whole'],
        [layout.state, 'part'],
        [dirname(layout.root), 'around'],
        [join(userHome, '.ssh/key'), 'one-file'],
        [join(userHome, '.ssh'), 'keys'],
      ];
      mkdirSync(layout.state, { recursive: true });
      writeFileSync(join(layout.state, 'inner'), CANARY);
      const points = mounts.map(([from, to]) => ({ from, point: join(folder, to) }));
      try {
        for (const { from, point } of points) {
          if (point.endsWith('one-file')) writeFileSync(point, '');
          else mkdirSync(point);
          execFileSync('/usr/bin/mount', ['--bind', from, point]);
        }
        const paths = ['whole/own-file', 'part/inner', 'around/home/own-file', 'one-file', 'keys/key'];
        const { results, leaked } = await attempt(
          stage(),
          [
            ...paths.map(read),
            ...['whole/new', 'part/new', 'around/home/new'].map(write),
            { name: 'grep', args: { pattern: 'canary-in' } },
            bash(`cat ${paths.join(' ')}; echo planted > whole/new; echo planted > part/new; true`),
          ],
          [],
          unjudgedCommands(stage()),
        );
        for (const text of results.slice(0, 8)) expect(text).toMatch(/protect|credentials|belongs to/i);
        expect(leaked).toBe(false);
        expect(existsSync(join(layout.root, 'new')) || existsSync(join(layout.state, 'new'))).toBe(false);
      } finally {
        await stage().cli(['stop']);
        for (const { point } of points) spawnSync('/usr/bin/umount', [point]);
      }
    },
  );
});

describe('a hostile folder', () => {
  it('reveals nothing of a closed file under any name, and delays no one [A2, FR5] [FT08, FT12, FT13]', async () => {
    plant(stage());
    const { results, leaked } = await attempt(stage(), [
      read('style-guide.md'),
      read('notes.md'),
      read('example.md'),
      read('link.md'),
      read('near.md'),
      read('docs/.\u0435nv'),
      read('.ｎetrc'),
      read('.gitignore'),
      { name: 'find', args: { pattern: '*' } },
      { name: 'grep', args: { pattern: 'canary' } },
    ]);
    for (const text of results.slice(0, 7)) expect(text).toMatch(/protect|credentials|outside/i);
    for (const text of results.slice(7, 10)) expect(text).toContain('a named pipe');
    expect(leaked).toBe(false);
  });

  it('does not get its tasks, hooks and start files written unasked [FT14]', async () => {
    plant(stage());
    const paths = ['.vscode/tasks.json', 'deep/er/.husky/pre-commit', '.envrc', '.github/workflows/ci.yml'];
    const denied = await attempt(
      stage(),
      [...paths, 'assets/tasks.json', '.git/hooks/pre-commit'].map(write),
      ['--approve', 'deny'],
    );
    for (const text of denied.results.slice(0, 5)) expect(text).toContain('is run automatically by');
    expect(denied.results[5]).toContain('protection/executed-later');
    for (const path of [...paths, '.git', '.vscode'])
      expect(existsSync(join(stage().folder, path))).toBe(false);
  });

  it('gets them written once somebody says yes, by the name that was shown, and never a hook of git [FT14]', async () => {
    plant(stage());
    const { results } = await attempt(
      stage(),
      [
        write('.vscode/tasks.json'),
        write('package.json'),
        write('assets/settings.json'),
        write('.git/hooks/pre-push'),
      ],
      ['--approve', 'allow'],
    );
    expect(stage().read('.vscode/tasks.json')).toBe('planted');
    expect(stage().read('package.json')).toBe('planted');
    expect(results[2]).toContain('name it without links');
    expect(results[3]).toContain('protection/executed-later');
    expect(existsSync(join(stage().folder, '.vscode/settings.json'))).toBe(false);
    expect(existsSync(join(stage().folder, '.git'))).toBe(false);
  });
});
