import type { Action } from '@bulkhead/protocol';
import { createLabelStore, type Label } from '@bulkhead/shield';
import { beforeEach, describe, expect, it } from 'vitest';
import { BoxLabels } from './box-labels.ts';

const CLEAN: Label = { secrecy: 'public', trust: 'user' };
const FOREIGN: Label = { secrecy: 'internal', trust: 'external' };
const SECRET: Label = { secrecy: 'critical', trust: 'workspace' };

let changed: Set<string>;
let labels: BoxLabels;
beforeEach(() => {
  changed = new Set();
  labels = new BoxLabels(createLabelStore(), async (id) => changed.has(id));
});

const command = (id: string, workingFolder = '/work') => {
  const metadata: Action['metadata'] = { effect: 'once', paths: [], workingFolder, group: 'run' };
  return { id, metadata };
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
    expect(labels.labelOf('/work')).toEqual({ secrecy: 'critical', trust: 'external' });
    expect(labels.labelOf('/work/sub'), 'of a folder inside').toBeUndefined();
    expect(labels.labelOf('/')).toBeUndefined();
  });

  it('rises before the command begins, and falls again if it wrote nothing there [F2]', async () => {
    labels.begun(command('a'), SECRET);
    expect(labels.labelOf('/work')).toEqual(SECRET);
    await labels.ended('a');
    expect(labels.labelOf('/work')).toBeUndefined();
  });

  it('stays while a command that began with it has not ended', async () => {
    labels.begun(command('a'), FOREIGN);
    labels.begun(command('b'), SECRET);
    await labels.ended('a');
    expect(labels.labelOf('/work')).toEqual({ secrecy: 'critical', trust: 'external' });
  });

  it('stays if a running command may have written more meanwhile', async () => {
    labels.begun(command('a'), FOREIGN);
    labels.raise('/work', SECRET);
    await labels.ended('a');
    expect(labels.labelOf('/work')).toEqual({ secrecy: 'critical', trust: 'external' });
  });

  it('needs none for a session that has read nothing of others', async () => {
    labels.begun(command('a'), CLEAN);
    changed.add('a');
    await labels.ended('a');
    expect(labels.labelOf('/work')).toBeUndefined();
  });

  it('is gone with the files', async () => {
    changed.add('a');
    labels.begun(command('a'), SECRET);
    await labels.ended('a');
    labels.removed('/work');
    expect(labels.labelOf('/work')).toBeUndefined();
  });
});
