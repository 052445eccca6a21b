import { chmodSync, lstatSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { auditSteps } from './support/audit-steps.ts';
import { useSharedStage } from './support/use-stage.ts';
import { bash } from './support/waiting-command.ts';

const stage = useSharedStage();

interface Listed {
  readonly id: string;
  readonly tool: string;
  readonly sessionId: string;
  readonly changed: number;
  readonly undoneBy: string;
}

async function list(): Promise<readonly Listed[]> {
  return JSON.parse((await stage().cli(['chronicle', 'list', '--json'])).stdout);
}

async function rollBack(...args: readonly string[]) {
  const { code, stdout } = await stage().cli(['chronicle', 'rollback', '--json', ...args]);
  return { code, ...JSON.parse(stdout) };
}

/** One answer: a file written, one edited, and a command that changes much at once. */
async function answer(): Promise<void> {
  stage().write('notes.txt', 'one\ntwo\n');
  stage().write('gone/deep/a.bin', 'a\0b');
  stage().write('run.sh', 'echo 1\n');
  chmodSync(join(stage().folder, 'run.sh'), 0o640);
  symlinkSync('notes.txt', join(stage().folder, 'link'));
  await stage().model([
    { toolCalls: [{ name: 'write', args: { path: 'new/made.txt', content: 'fresh\n' } }] },
    { toolCalls: [{ name: 'edit', args: { path: 'notes.txt', old_text: 'two', new_text: 'three' } }] },
    {
      toolCalls: [
        bash(
          'rm -r gone; chmod 755 run.sh; ln -sfn elsewhere link; echo more >> notes.txt; mkdir gone.d; rm -r gone.d; echo x > gone',
        ),
      ],
    },
    { text: 'done' },
  ]);
  const { code } = await stage().cli(['run', '--json', 'go']);
  expect(code).toBe(0);
}

describe('bulkhead chronicle', () => {
  it('takes a whole answer back, and that back again [U2] [FT89] [FT90]', async () => {
    await answer();
    expect(stage().read('notes.txt')).toBe('one\nthree\nmore\n');
    const entries = await list();
    expect(entries.map(({ tool }) => tool)).toEqual(['bash', 'edit', 'write']);
    const [last] = entries;
    const undone = await rollBack(last?.id ?? '', '--turn');
    expect(undone).toMatchObject({ code: 0, done: true, conflicts: [] });
    expect(readdirSync(stage().folder).toSorted()).toEqual(['gone', 'link', 'notes.txt', 'run.sh']);
    expect(stage().read('notes.txt')).toBe('one\ntwo\n');
    expect(stage().read('gone/deep/a.bin')).toBe('a\0b');
    expect(readlinkSync(join(stage().folder, 'link'))).toBe('notes.txt');
    expect(lstatSync(join(stage().folder, 'run.sh')).mode & 0o777).toBe(0o640);
    expect((await list()).map(({ tool, undoneBy }) => [tool, undoneBy])).toEqual([
      ['rollback', ''],
      ['bash', undone.id],
      ['edit', undone.id],
      ['write', undone.id],
    ]);
    const again = await rollBack(undone.id);
    expect(again).toMatchObject({ code: 0, done: true });
    expect(stage().read('notes.txt')).toBe('one\nthree\nmore\n');
    expect(stage().read('gone')).toBe('x\n');
    expect(stage().read('new/made.txt')).toBe('fresh\n');
    const steps = auditSteps(stage(), entries[0]?.sessionId ?? '');
    expect(steps.slice(-4)).toEqual(['STARTED', 'EXECUTED', 'STARTED', 'EXECUTED']);
    const verified = await stage().cli(['chronicle', 'verify', '--json']);
    expect(JSON.parse(verified.stdout)).toMatchObject({ problems: [] });
  });

  it('shows a later edit as a conflict and touches nothing, unless asked to restore the rest [U2] [FT91]', async () => {
    await answer();
    const [command] = await list();
    const id = command?.id ?? '';
    stage().write('notes.txt', 'mine\n');
    const diff = await stage().cli(['chronicle', 'diff', id]);
    expect(diff.stdout).toContain('notes.txt: a file was changed, changed since');
    const refused = await rollBack(id);
    expect(refused).toMatchObject({
      code: 3,
      done: false,
      conflicts: [{ path: 'notes.txt', reason: 'was changed since' }],
    });
    expect(stage().read('gone')).toBe('x\n');
    const rest = await rollBack(id, '--skip-conflicts');
    expect(rest).toMatchObject({ code: 0, done: true });
    expect(stage().read('notes.txt')).toBe('mine\n');
    expect(stage().read('gone/deep/a.bin')).toBe('a\0b');
  });

  it('says of a whole answer what it can not take back [FG6]', async () => {
    await stage().model([
      { toolCalls: [{ name: 'write', args: { path: 'made.txt', content: 'fresh\n' } }] },
      { toolCalls: [{ name: 'bash', args: { command: 'true', hosts: ['example.org'] } }] },
      { text: 'done' },
    ]);
    expect((await stage().cli(['run', '--approve', 'allow', 'go'])).code).toBe(0);
    const [made] = await list();
    const undone = await rollBack(made?.id ?? '', '--turn');
    expect(undone).toMatchObject({
      code: 0,
      done: true,
      lasting: [{ tool: 'bash', reason: expect.stringMatching(/may have reached example.org/) }],
    });
    const alone = await stage().cli(['chronicle', 'rollback', undone.lasting[0].id]);
    expect(alone).toMatchObject({ code: 1, stderr: expect.stringMatching(/can not be taken back/) });
  });
});
