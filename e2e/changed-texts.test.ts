import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ofType } from './support/event-lines.ts';
import type { Stage } from './support/stage.ts';
import { unjudgedCommands } from './support/unjudged-commands.ts';
import { useSharedStage } from './support/use-stage.ts';
import { bash } from './support/waiting-command.ts';

const stage = useSharedStage();

/** Runs commands, one call each. */
async function run(at: Stage, commands: readonly string[], ...args: readonly string[]) {
  await at.model([...commands.map((command) => ({ toolCalls: [bash(command)] })), { text: 'done' }], {
    config: unjudgedCommands(at),
  });
  const { code, events } = await at.cli(['run', '--json', ...args, 'go']);
  return { code, events, outputs: ofType(events, 'tool_output').map(({ text }) => text) };
}

describe('the content of a file whose name alone would drop everything', () => {
  const REMOTE = 'git remote add origin https://example.org/a.git';

  it('passes where it only names a remote, a branch or a person [FT14] [B2]', async () => {
    execFileSync('git', ['init', '-q', stage().folder]);
    const command = `${REMOTE}; git config user.name Ada; git config pull.rebase true`;
    const { events, code } = await run(stage(), [command], '--approve', 'deny');
    expect(code).toBe(0);
    expect(ofType(events, 'approval_requested')).toEqual([]);
    expect(stage().read('.git/config')).toContain('url = https://example.org/a.git');
    expect(stage().read('.git/config')).toContain('name = Ada');
  });

  it.each([
    ['deny', 3, false],
    ['allow', 0, true],
  ] as const)('asks with the line where it names a program: %s [FT14] [B2]', async (approve, code, kept) => {
    execFileSync('git', ['init', '-q', stage().folder]);
    const command = `${REMOTE}; printf '[core]\\n\\thooksPath = x\\n' >> .git/config; touch other`;
    const result = await run(stage(), [command], '--approve', approve);
    expect(ofType(result.events, 'shield_verdict').at(-1)).toMatchObject({
      rule: 'effects/git-settings',
      reason: '.git/config would say: core.hookspath = x',
    });
    expect(result.code).toBe(code);
    expect(/hooksPath/.test(stage().read('.git/config'))).toBe(kept);
    expect(existsSync(join(stage().folder, 'other'))).toBe(kept);
  });

  it('is shown and kept if it is a certificate; keys are neither [A2]', async () => {
    const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
    stage().write('deep/ca.pem', certificate);
    stage().write('deep/key.pem', certificate.replaceAll('CERTIFICATE', 'PRIVATE KEY'));
    const commands = [
      'cat deep/*.pem; cp deep/ca.pem new.pem',
      "sed 's/CERTIFICATE/PRIVATE KEY/' deep/ca.pem > made.pem",
    ];
    const { outputs } = await run(stage(), commands, '--approve', 'allow');
    expect(outputs[0]).toContain('BEGIN CERTIFICATE');
    expect(outputs[0]).not.toContain('PRIVATE');
    expect(stage().read('new.pem')).toBe(certificate);
    expect(outputs[1]).toContain('nothing it changed was kept');
    expect(existsSync(join(stage().folder, 'made.pem'))).toBe(false);
  });

  it('is never taken for an empty file by git: a key that a repository tracks stays as it is [A2]', async () => {
    const git = (...args: readonly string[]) =>
      execFileSync('git', [
        '-C',
        stage().folder,
        '-c',
        'user.name=n',
        '-c',
        'user.email=e@example.org',
        ...args,
      ]);
    git('init', '-q');
    stage().write('test/server.key', 'a key for tests\n');
    git('add', '.');
    git('commit', '-qm', 'first');
    const commit = 'git -c user.name=n -c user.email=e@example.org commit -qam second; echo "ended $?"';
    const { outputs } = await run(stage(), [`cat test/server.key; ${commit}`], '--approve', 'allow');
    expect(outputs[0]).not.toContain('a key for tests');
    expect(outputs[0]).toContain('Permission denied');
    expect(outputs[0]).not.toContain('ended 0');
    expect(git('show', 'HEAD:test/server.key').toString()).toBe('a key for tests\n');
  });
});
