import { effectsOf, observed } from '@bulkhead/home/testing';
import type { Action, ObservedChange } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { noSnapshots } from '../testing/no-stages.ts';
import { GoingOn } from './going-on.ts';
import { keepEnded } from './keep-ended.ts';

const BEGUN: Action = {
  id: 'begun',
  sessionId: 's',
  runId: 'r',
  callId: 'c',
  tool: 'bash',
  arguments: {},
  canonical: '',
  hash: 'h',
  time: '',
  metadata: {
    workingFolder: '/project',
    paths: [],
    command: 'npm run dev',
    background: true,
    group: 'shell',
    effect: 'once',
  },
};
const COMMAND = {
  ...{
    id: 'one',
    action: 'begun',
    sessionId: 's',
    workingFolder: '/project',
    command: 'npm run dev',
    pid: 1,
  },
  ...{ outputPath: '/out', ended: 'exit code 0', remarks: [] },
};

/** Lists the calls of the parts, in order. */
function stage(failSnapshot = false, failLabels = false) {
  const done: string[] = [];
  const goingOn = new GoingOn();
  goingOn.begun(BEGUN);
  const decide = keepEnded({
    ids: () => 'end',
    audit: {
      append: async (entries) => {
        for (const { action, step, details } of entries)
          done.push(`${step} ${action} ${JSON.stringify(details)}`);
        return [];
      },
    },
    snapshots: {
      ...noSnapshots,
      takeEffects: async ({ id }, { changes }) => {
        if (failSnapshot) throw new Error('the disk is full');
        done.push(`snapshot ${id} ${changes.length}`);
      },
      finish: async ({ id }) => void done.push(`finish ${id}`),
    },
    labels: {
      goingOn,
      wrote: ({ id }, paths) => void done.push(`wrote ${id} ${paths.join()}`),
      deleted: ({ id }, paths) => {
        if (failLabels) throw new Error('the labels are out of order');
        done.push(`deleted ${id} ${paths.join()}`);
      },
    },
  });
  const ended = (changes: readonly ObservedChange[], action = 'begun') =>
    decide({ ...COMMAND, action }, effectsOf(changes));
  return { done, ended };
}

const MADE = observed('made');
const GONE = observed('gone', { what: 'deleted', kind: 'missing', was: 'file' });

describe('the changes of a background command that no one stopped', () => {
  it('are announced and have a snapshot before they are kept, as an action that continues its own [U2] [B2]', async () => {
    const { done, ended } = stage();
    const decision = await ended([MADE, GONE]);
    const details = '{"by":"engine","continues":"begun","changes":2}';
    const before = [`STARTED end ${details}`, 'snapshot end 2', 'wrote begun /project/made'];
    expect(done).toEqual(before);
    if (!decision.commit) throw new Error('it is not kept');
    await decision.settled(true);
    expect(done.slice(before.length)).toEqual([
      'deleted begun /project/gone',
      'finish end',
      `EXECUTED end ${details}`,
    ]);
  });

  it('have failed if the commit did, and its deleted files keep their labels', async () => {
    const { done, ended } = stage();
    const decision = await ended([GONE]);
    if (!decision.commit) throw new Error('it is not kept');
    await decision.settled(false);
    expect(done.at(-1)).toMatch(/^FAILED end /);
    expect(done.some((step) => step.startsWith('deleted'))).toBe(false);
  });

  it('have neither failed nor succeeded if it is not known whether they were kept [FG4]', async () => {
    const { done, ended } = stage();
    const decision = await ended([GONE]);
    if (!decision.commit) throw new Error('it is not kept');
    const before = done.length;
    await decision.settled(undefined);
    expect(done.slice(before)).toEqual(['finish end']);
  });

  it('are recorded as kept also if their labels can not be changed', async () => {
    const { done, ended } = stage(false, true);
    const decision = await ended([GONE]);
    if (!decision.commit) throw new Error('it is not kept');
    await expect(decision.settled(true)).rejects.toThrow('out of order');
    expect(done.at(-2)).toBe('finish end');
    expect(done.at(-1)).toMatch(/^EXECUTED end /);
  });

  it('wait, and nothing is announced, if a person would have to be asked, or nothing may be kept [B2]', async () => {
    for (const path of ['.envrc', '.git/hooks/pre-commit', '.ssh/config']) {
      const { done, ended } = stage();
      expect(await ended([MADE, observed(path)]), path).toMatchObject({ commit: false });
      expect(done).toEqual([]);
    }
  });

  it('are not kept without a snapshot, or without the action that began it [A4]', async () => {
    const failing = stage(true);
    await expect(failing.ended([MADE])).rejects.toThrow('the disk is full');
    expect(failing.done.at(-1)).toMatch(/^FAILED end /);
    const { done, ended } = stage();
    expect(await ended([MADE], 'unknown')).toMatchObject({ commit: false });
    expect(done).toEqual([]);
  });
});
