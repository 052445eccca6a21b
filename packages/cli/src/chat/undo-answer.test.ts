import { setTimeout as sleep } from 'node:timers/promises';
import { create } from '@bufbuild/protobuf';
import {
  type RollBackRequest,
  RollBackResponseSchema,
  SnapshotSummarySchema,
} from '@bulkhead/protocol/client';
import { describe, expect, it } from 'vitest';
import { ChatStage, CTRL_D } from '../testing/chat-stage.ts';
import type { Script } from '../testing/scripted-engine.ts';

const QUESTION = 'put 1 object in /work back? [y/N] ';
const idle: Script = async (run) => {
  run.start();
  run.say('the answer is there');
  run.settle({ answer: 'x' });
};

/** A chat whose session changed files, and another session that changed them later. */
async function stageWith(
  conflicts: readonly { readonly path: string; readonly reason: string }[] = [],
  tookMs = 0,
) {
  const asked: RollBackRequest[] = [];
  const listed = [
    create(SnapshotSummarySchema, { id: '01BACK', sessionId: 'session-1', changed: 1, undoes: ['01C'] }),
    create(SnapshotSummarySchema, { id: '01B', sessionId: 'session-9', changed: 1 }),
    create(SnapshotSummarySchema, { id: '01A', sessionId: 'session-1', changed: 1 }),
  ];
  const stage = await ChatStage.open(idle, {
    listSnapshots: () => ({ snapshots: listed }),
    rollBack: async (request) => {
      await sleep(tookMs);
      asked.push(request);
      const done = !request.dryRun && conflicts.length === 0;
      const restored = [{ path: 'notes.txt', from: 'file', to: 'file' }];
      return create(RollBackResponseSchema, {
        id: done ? '01R' : '',
        folder: '/work',
        restored,
        limits: ['few have it'],
        conflicts: [...conflicts],
        done,
      });
    },
  });
  const { environment, exit } = stage.chat();
  await environment.until('session session-1');
  environment.stdin.write('/undo\r');
  return { stage, asked, environment, exit };
}

describe('/undo in a chat', () => {
  it('shows what the last answer changed, asks, and takes it back [U2]', async () => {
    const { stage, asked, environment, exit } = await stageWith();
    await using _stage = stage;
    await environment.until(QUESTION);
    // The files that undo restores first; after them the rest, which few files have.
    expect(environment.out()).toContain('  ~ file notes.txt\nfew have it\n');
    environment.stdin.write('y\r');
    await environment.until('1 object restored; take that back with: bulkhead chronicle rollback 01R\n');
    expect(asked).toMatchObject([
      { id: '01A', turn: true, dryRun: true, skipConflicts: false },
      { id: '01A', turn: true, dryRun: false, skipConflicts: false },
    ]);
    environment.stdin.write(CTRL_D);
    expect(await exit).toBe(0);
  });

  it('touches nothing without a yes', async () => {
    const { stage, asked, environment, exit } = await stageWith();
    await using _stage = stage;
    await environment.until(QUESTION);
    environment.stdin.write('\r');
    await environment.until('nothing was touched\n');
    expect(asked).toMatchObject([{ dryRun: true }]);
    environment.stdin.write(CTRL_D);
    expect(await exit).toBe(0);
  });

  it('takes the question back with Ctrl-C, says so, and stays in the chat', async () => {
    const { stage, asked, environment, exit } = await stageWith();
    await using _stage = stage;
    await environment.until(QUESTION);
    environment.stdin.write('y\x03');
    await environment.until('nothing was touched\n');
    expect(environment.out()).not.toContain('Ctrl-C again leaves.');
    environment.stdin.write('hello\r');
    await environment.until('the answer is there');
    expect(asked).toMatchObject([{ dryRun: true }]);
    environment.stdin.write(CTRL_D);
    expect(await exit).toBe(0);
  });

  it('says what it is at while that takes its time [U2]', async () => {
    const { stage, environment, exit } = await stageWith([], 2_300);
    await using _stage = stage;
    await environment.until('… looking what would be put back, 2 s\n');
    await environment.until(QUESTION);
    environment.stdin.write('y\r');
    await environment.until('… putting 1 object back, 2 s\n');
    await environment.until('1 object restored');
    environment.stdin.write(CTRL_D);
    expect(await exit).toBe(0);
  });

  it('says what was changed since, and asks nothing', async () => {
    const { stage, asked, environment, exit } = await stageWith([
      { path: 'notes.txt', reason: 'was changed since' },
    ]);
    await using _stage = stage;
    await environment.until('  ! notes.txt was changed since\n');
    await environment.until(
      'restore the rest with: bulkhead chronicle rollback 01A --turn --skip-conflicts\n',
    );
    expect(asked).toMatchObject([{ dryRun: true }]);
    environment.stdin.write(CTRL_D);
    expect(await exit).toBe(0);
  });
});
