import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ofType } from './support/event-lines.ts';
import type { Stage } from './support/stage.ts';
import { useStage } from './support/use-stage.ts';

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
async function attempt(at: Stage, calls: readonly Call[], options: readonly string[] = []) {
  const rounds = [...calls, HARMLESS].map((call) => ({ toolCalls: [call] }));
  const server = await at.model([...rounds, { text: 'done' }]);
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

describe('a hostile folder', () => {
  it('tells nothing of a closed file under any name, and holds nobody up [A2, FR5] [FT08, FT12, FT13]', async () => {
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
    for (const text of results.slice(0, 7)) expect(text).toMatch(/protect|credentials|outside|leads out/i);
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
    for (const text of denied.results.slice(0, 5)) expect(text).toContain('is executed later, by');
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
