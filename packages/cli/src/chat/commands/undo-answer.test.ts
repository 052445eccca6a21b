import { setTimeout as sleep } from 'node:timers/promises';
import { create } from '@bufbuild/protobuf';
import {
  type RollBackRequest,
  RollBackResponseSchema,
  SnapshotSummarySchema,
} from '@bulkhead/protocol/client';
import { describe, expect, it } from 'vitest';
import { CommandStage } from '../../testing/command-stage.ts';

const QUESTION = '  restore 1 object in /work? [y/N] ';

/**
 * Enters `/undo` in a session that changed files, beside another one that changed them later.
 *
 * @param reply the answer to the question; undefined withdraws it
 */
async function undo(
  reply: string | undefined,
  conflicts: readonly { readonly path: string; readonly reason: string }[] = [],
  tookMs = 0,
  paths: readonly string[] = ['notes.txt'],
) {
  const calls: RollBackRequest[] = [];
  const listed = [
    create(SnapshotSummarySchema, { id: '01BACK', sessionId: 'session-1', changed: 1, undoes: ['01C'] }),
    create(SnapshotSummarySchema, { id: '01B', sessionId: 'session-9', changed: 1 }),
    create(SnapshotSummarySchema, { id: '01A', sessionId: 'session-1', changed: 1 }),
  ];
  await using stage = await CommandStage.open({
    listSnapshots: () => ({ snapshots: listed }),
    rollBack: async (request) => {
      await sleep(tookMs);
      calls.push(request);
      const done = !request.dryRun && conflicts.length === 0;
      const restored = paths.map((path) => ({ path, from: 'file', to: 'file' }));
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
  stage.replies.push(reply);
  const printed = await stage.enter('/undo');
  return { printed, calls, asked: stage.asked };
}

describe('/undo in a chat', () => {
  it('shows the changes of the last answer, asks, and undoes them [U2]', async () => {
    const { printed, calls, asked } = await undo('y');
    expect(asked).toEqual([QUESTION]);
    // The files that undo restores first; after them the rest, which few files have.
    expect(printed).toContain('  ~ file notes.txt\nfew have it\n');
    expect(printed).toContain('1 object restored; undo that with: bulkhead chronicle rollback 01R\n');
    expect(calls).toMatchObject([
      { id: '01A', turn: true, dryRun: true, skipConflicts: false },
      { id: '01A', turn: true, dryRun: false, skipConflicts: false },
    ]);
  });

  it('lists the first of very many paths, how many more there are, and where all are [U2]', async () => {
    const paths = Array.from({ length: 301 }, (_, at) => `file-${String(at).padStart(3, '0')}`);
    const { printed, asked } = await undo('y', [], 0, paths);
    expect(printed).toContain('  ~ file file-019\n  … and 281 more\n');
    expect(printed).not.toContain('file-020');
    expect(printed).toContain('  all of them: bulkhead chronicle diff 01A\n');
    expect(asked).toEqual(['  restore 301 objects in /work? [y/N] ']);
  });

  it.each([[''], ['no'], [undefined]])('changes nothing after the answer %j', async (reply) => {
    const { printed, calls } = await undo(reply);
    expect(printed).toContain('nothing was restored\n');
    expect(calls).toMatchObject([{ dryRun: true }]);
  });

  it('reports its work while that takes long [U2]', async () => {
    const { printed } = await undo('y', [], 2_300);
    expect(printed).toContain('… looking up the changes to undo, 2 s\n');
    expect(printed).toContain('… restoring 1 object, 2 s\n');
    expect(printed).toContain('1 object restored');
  });

  it('reports later changes, and asks nothing', async () => {
    const { printed, calls, asked } = await undo('y', [{ path: 'notes.txt', reason: 'was changed since' }]);
    expect(printed).toContain('  ! notes.txt was changed since\n');
    expect(printed).toContain(
      'restore the rest with: bulkhead chronicle rollback 01A --turn --skip-conflicts\n',
    );
    expect(calls).toMatchObject([{ dryRun: true }]);
    expect(asked).toEqual([]);
  });
});
