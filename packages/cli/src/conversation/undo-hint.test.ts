import { create } from '@bufbuild/protobuf';
import { SnapshotSummarySchema } from '@bulkhead/protocol/client';
import { describe, expect, it } from 'vitest';
import { dispatch } from '../dispatch.ts';
import { type Script, ScriptedEngine } from '../testing/scripted-engine.ts';
import { testEnvironment } from '../testing/test-environment.ts';
import { testHome } from '../testing/test-home.ts';

const acting: Script = async (run) => {
  run.start();
  run.emit({
    type: 'action_completed',
    action: 'a2',
    call: 'c',
    hash: 'ff',
    success: true,
    summary: '',
  });
  run.say('done');
  run.settle({ answer: 'done' });
};

/** Run of the scripted engine for a message of this id. */
function snapshots(runId: string, facts: { readonly changed?: number; readonly undoneBy?: string } = {}) {
  return [
    create(SnapshotSummarySchema, { id: 'other', runId: 'run-other', changed: 3 }),
    create(SnapshotSummarySchema, { id: '01NEWEST', runId, changed: 1, ...facts }),
    create(SnapshotSummarySchema, { id: '01OLDER', runId, changed: 1, ...facts }),
  ];
}

async function runWith(facts: Parameters<typeof snapshots>[1], ...options: readonly string[]) {
  using home = testHome();
  const engine = new ScriptedEngine(home.layout, acting);
  engine.answers = {
    listSnapshots: () => ({ snapshots: snapshots(`run-${engine.received[0]?.messageId}`, facts) }),
  };
  await engine.listen();
  const environment = testEnvironment(home.layout);
  expect(await dispatch(['run', ...options, 'x'], environment)).toBe(0);
  await engine.close();
  return environment;
}

describe('after a run that changed something', () => {
  it('one line on standard error says how to undo it [U2]', async () => {
    const { out, err } = await runWith({});
    expect(err()).toMatch(/^undo with: bulkhead chronicle rollback 01NEWEST --turn$/m);
    expect(out()).toBe('done\n');
  });

  it.each([
    ['nothing was changed', { changed: 0 }, []],
    ['it was taken back already', { undoneBy: '01X' }, []],
    ['a program reads', {}, ['--json']],
  ])('there is no such line where %s', async (_why, facts, options) => {
    const { out, err } = await runWith(facts, ...options);
    expect(out() + err()).not.toContain('undo with');
  });
});
