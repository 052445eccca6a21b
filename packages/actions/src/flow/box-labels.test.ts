import type { Action } from '@bulkhead/protocol';
import { createLabelStore, type Label } from '@bulkhead/shield';
import { beforeEach, describe, expect, it } from 'vitest';
import { BoxLabels } from './box-labels.ts';

const CLEAN: Label = { secrecy: 'public', trust: 'user' };
const FOREIGN: Label = { secrecy: 'internal', trust: 'external' };
const SECRET: Label = { secrecy: 'critical', trust: 'workspace' };

let changed: Set<string>;
let labels: BoxLabels;
/** Ends of what commands left running. */
let left: Map<string, PromiseWithResolvers<void>>;
beforeEach(() => {
  changed = new Set();
  left = new Map();
  labels = new BoxLabels(createLabelStore(), {
    left: (id) => left.get(id)?.promise,
    changedBy: async (id) => changed.has(id),
  });
});

const command = (id: string, workingFolder = '/projects', sessionId = `of ${id}`) => {
  const metadata: Action['metadata'] = { effect: 'once', paths: [], workingFolder, group: 'run' };
  return { id, sessionId, metadata };
};

/** Until everything that waits for an end has seen it. */
const endOf = async (id: string) => {
  left.get(id)?.resolve();
  left.delete(id);
  await new Promise((resolve) => setImmediate(resolve));
};

describe('the label of a private home', () => {
  it('is that of all sessions whose commands wrote there [F2]', async () => {
    changed = new Set(['a', 'b']);
    for (const [id, label] of [
      ['a', FOREIGN],
      ['b', SECRET],
    ] as const) {
      labels.begun(command(id), label);
      await labels.ended(id);
    }
    expect(labels.labelOf('/projects')).toEqual({ secrecy: 'critical', trust: 'external' });
    expect(labels.labelOf('/projects/sub'), 'of a folder inside').toBeUndefined();
    expect(labels.labelOf('/')).toBeUndefined();
  });

  it('rises before the command begins, and falls again if it wrote nothing there [F2]', async () => {
    labels.begun(command('a'), SECRET);
    expect(labels.labelOf('/projects')).toEqual(SECRET);
    await labels.ended('a');
    expect(labels.labelOf('/projects')).toBeUndefined();
  });

  it('stays while a command that began with it has not ended', async () => {
    labels.begun(command('a'), FOREIGN);
    labels.begun(command('b'), SECRET);
    await labels.ended('a');
    expect(labels.labelOf('/projects')).toEqual({ secrecy: 'critical', trust: 'external' });
  });

  it('stays if a running command may have written more meanwhile', async () => {
    labels.begun(command('a'), FOREIGN);
    labels.raise('of a', SECRET);
    await labels.ended('a');
    expect(labels.labelOf('/projects')).toEqual({ secrecy: 'critical', trust: 'external' });
  });

  it('stays while what the command left runs, and permanently if that writes [F2]', async () => {
    for (const id of ['a', 'b']) left.set(id, Promise.withResolvers<void>());
    labels.begun(command('a'), SECRET);
    labels.begun(command('b', '/other'), SECRET);
    for (const id of ['a', 'b']) await labels.ended(id);
    expect(labels.labelOf('/projects')).toEqual(SECRET);
    changed.add('a');
    await endOf('a');
    await endOf('b');
    expect(labels.labelOf('/projects'), 'it wrote').toEqual(SECRET);
    expect(labels.labelOf('/other'), 'it wrote nothing').toBeUndefined();
  });

  it('rises when a session reads more while a command of it, or what that left, runs [F2]', async () => {
    left.set('a', Promise.withResolvers<void>());
    labels.begun(command('a'), CLEAN);
    await labels.ended('a');
    labels.raise('of another', FOREIGN);
    expect(labels.labelOf('/projects')).toBeUndefined();
    labels.raise('of a', SECRET);
    expect(labels.labelOf('/projects')).toEqual(SECRET);
    await endOf('a');
    labels.raise('of a', FOREIGN);
    expect(labels.labelOf('/projects'), 'after its end').toEqual(SECRET);
  });

  it('does not fall while a clean command of the folder runs, which may be sent anything', async () => {
    labels.begun(command('a'), CLEAN);
    labels.begun(command('b'), SECRET);
    await labels.ended('b');
    expect(labels.labelOf('/projects')).toEqual(SECRET);
  });

  it('needs none for a session that has read nothing of others', async () => {
    labels.begun(command('a'), CLEAN);
    changed.add('a');
    await labels.ended('a');
    expect(labels.labelOf('/projects')).toBeUndefined();
  });

  it('is gone with the files', async () => {
    changed.add('a');
    labels.begun(command('a'), SECRET);
    await labels.ended('a');
    labels.removed('/projects');
    expect(labels.labelOf('/projects')).toBeUndefined();
  });
});
