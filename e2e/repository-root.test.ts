import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ofType } from './support/event-lines.ts';
import { useSharedStage } from './support/use-stage.ts';
import { bash } from './support/waiting-command.ts';

const stage = useSharedStage();

/** A repository with a working folder `app` in it. */
function makeRepository(root: string): string {
  const app = join(root, 'app');
  mkdirSync(app, { recursive: true });
  mkdirSync(join(root, 'shared'));
  writeFileSync(join(root, 'shared', 's.txt'), 'shared text\n');
  writeFileSync(join(app, 'own.txt'), 'own\n');
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { cwd: root });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'the first');
  writeFileSync(join(root, '.env'), 'TOKEN=canary-of-the-root\n');
  return app;
}

/** Runs each command in a `bash` call of one session, every question allowed. */
async function run(cwd: string, ...commands: readonly string[]) {
  await stage().model([...commands.map((command) => ({ toolCalls: [bash(command)] })), { text: 'done' }]);
  const { events } = await stage().cli(['run', '--json', '--approve', 'allow', 'go'], { cwd });
  return {
    texts: ofType(events, 'tool_output').map(({ text }) => text),
    asked: ofType(events, 'approval_requested'),
  };
}

describe('a folder in a repository', () => {
  it('lets commands use git and read what lies around it, unasked, and says so once [B2] [L1]', async () => {
    const app = makeRepository(join(stage().folder, 'repo'));
    const { texts, asked } = await run(
      app,
      'echo more >> own.txt; git status --short; git log --format=%s; git diff --stat',
      'cat ../shared/s.txt; git rev-parse --show-prefix',
    );
    expect(asked).toEqual([]);
    expect(texts[0]).toContain(' M own.txt\n');
    expect(texts[0]).toContain('the first\n');
    expect(texts[0]).toContain('1 file changed');
    expect(texts[0]).toContain(
      `${join(stage().folder, 'repo')}, the repository around this folder, can be read`,
    );
    expect(texts[0]).toContain('hidden there, as they may hold credentials: .env');
    expect(texts[1]).toContain('shared text\napp/\n');
    expect(texts[1]).not.toContain('around this folder');
    const about = (cwd: string) => stage().cli(['status'], { cwd });
    const line = `commands can read ${join(stage().folder, 'repo')} around this folder`;
    expect((await about(app)).stdout).toContain(line);
    expect((await about(stage().folder)).stdout).not.toContain('around this folder');
  });

  it('hides credentials around it, and changes nothing there [A2]', async () => {
    const root = join(stage().folder, 'hiding');
    const app = makeRepository(root);
    const { texts } = await run(
      app,
      'cat ../.env; grep -r canary-of ..; echo x >> ../shared/s.txt; git commit -qam x; cat ../shared/s.txt',
    );
    expect(texts[0]).not.toContain('canary-of-the-root');
    expect(texts[0]).toContain('Read-only file system');
    expect(texts[0], 'control').toContain('shared text');
    expect(readFileSync(join(root, 'shared', 's.txt'), 'utf8')).toBe('shared text\n');
  });

  it('shows nothing of a home that is a repository [A2]', async () => {
    execFileSync('git', ['init', '-q'], { cwd: stage().userHome });
    writeFileSync(join(stage().userHome, 'diary.txt'), 'canary of the diary');
    const inside = join(stage().userHome, 'plain');
    mkdirSync(inside);
    const { texts } = await run(inside, 'cat ../diary.txt; git status; ls ..; true');
    expect(texts[0]).toContain('No such file');
    expect(texts[0]).not.toContain('canary');
    expect(texts[0]).not.toContain('around this folder');
  });

  it('shows a repository in a home, and nothing above it [A2]', async () => {
    const app = makeRepository(join(stage().userHome, 'code'));
    writeFileSync(join(stage().userHome, 'diary.txt'), 'canary of the diary');
    const { texts } = await run(app, 'cat ../shared/s.txt; cat ../../diary.txt');
    expect(texts[0]).toContain('shared text');
    expect(texts[0]).not.toContain('canary');
  });
});
