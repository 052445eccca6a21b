import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { LoopDisk, type LoopKind } from '@bulkhead/testkit/disk';
import { describe, expect, it } from 'vitest';
import { ofType } from './support/event-lines.ts';
import { OFFLINE_TITLES, Stage } from './support/stage.ts';
import { bash } from './support/waiting-command.ts';

const KINDS: readonly LoopKind[] = ['ext4', 'xfs', 'btrfs'];

/** One call of a model, and the end of its answer. */
const call = (name: string, args: object) => [{ toolCalls: [{ name, args }] }, { text: 'done' }];

/** Sends one message to a session. @returns the results of its calls, or why it was refused */
async function say(stage: Stage, session: string, text: string): Promise<string> {
  const { events, stderr } = await stage.cli(['run', '--json', '--session', session, text]);
  return [...ofType(events, 'tool_output').map((output) => output.text), stderr].join('\n');
}

describe.each(KINDS)('a working folder on %s, whose disk comes back under another number', (kind) => {
  it('is the same to sessions, undo and trust; another folder in its place is not [FT98] [U2]', {
    timeout: 540_000,
  }, async ({ skip }) => {
    using disk = LoopDisk.open(kind);
    if (disk === undefined)
      skip(`no ${kind} disk can be made here (root, loop devices, mkfs): nothing is proved`);
    else await remounted(disk);
  });
});

async function remounted(disk: LoopDisk): Promise<void> {
  await using stage = new Stage(disk.folder);
  stage.write('AGENTS.md', 'Be brief.\n');
  stage.write('a.txt', 'one\n');
  await stage.model(
    [
      ...call('edit', { path: 'a.txt', old_text: 'one', new_text: 'two' }),
      ...call('write', { path: 'b.txt', content: 'b\n' }),
      { toolCalls: [bash('echo c > c.txt; cat a.txt')] },
      { text: 'done' },
      ...Array.from({ length: 8 }, () => call('read', { path: 'b.txt' })).flat(),
    ],
    { models: OFFLINE_TITLES },
  );
  expect((await stage.cli(['trust', stage.folder, '--yes'])).code).toBe(0);
  const first = await stage.cli(['run', '--json', 'edit']);
  const entries: readonly { readonly id: string; readonly sessionId: string }[] = JSON.parse(
    (await stage.cli(['chronicle', 'list', '--json'])).stdout,
  );
  const [{ id, sessionId: session } = { id: '', sessionId: '' }] = entries;
  expect(ofType(first.events, 'tool_output')).toMatchObject([{ isError: false }]);
  await stage.cli(['stop']);
  const before = disk.device;
  await disk.remountElsewhere();
  expect(disk.device).not.toBe(before);

  expect(await say(stage, session, 'write')).toContain('created b.txt');
  expect(await say(stage, session, 'command')).toContain('two');
  expect(stage.read('c.txt')).toBe('c\n');
  const trust = await stage.cli(['trust', '--list', '--json']);
  expect(JSON.parse(trust.stdout)).toMatchObject([{ state: 'trusted' }]);
  const undone = await stage.cli(['chronicle', 'rollback', '--json', id]);
  expect(JSON.parse(undone.stdout)).toMatchObject({ done: true, conflicts: [] });
  expect(stage.read('a.txt')).toBe('one\n');

  // A worker that is alive has the folder itself, whatever its name is.
  await stage.cli(['stop']);
  const away = `${stage.folder}-away`;
  renameSync(stage.folder, away);
  const replacements: readonly (readonly [string, () => void, (() => void)?])[] = [
    ['a new folder', () => mkdirSync(stage.folder)],
    ['a copy', () => execFileSync('cp', ['-a', away, stage.folder])],
    ['a link', () => symlinkSync(away, stage.folder)],
    [
      'another disk',
      () => {
        mkdirSync(stage.folder);
        execFileSync('/usr/bin/mount', ['-t', 'tmpfs', 'other', stage.folder]);
      },
      () => execFileSync('/usr/bin/umount', [stage.folder]),
    ],
  ];
  for (const [what, replace, takeAway] of replacements) {
    replace();
    try {
      expect(await say(stage, session, 'read'), what).toContain(
        'is not the folder this session was started in',
      );
    } finally {
      await stage.cli(['stop']);
      takeAway?.();
      execFileSync('rm', ['-r', stage.folder]);
    }
  }
  renameSync(away, stage.folder);
  expect(await say(stage, session, 'read')).toContain('b');
  await stage.cli(['stop']);
}
