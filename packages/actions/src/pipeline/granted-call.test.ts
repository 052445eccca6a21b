import { type ShownFolder, transactionFolder } from '@bulkhead/protocol';
import { everyTool } from '@bulkhead/tools';
import { describe, expect, it } from 'vitest';
import { joinGiven } from '../grants/given.ts';
import type { Repeat } from './action-context.ts';
import { buildAction } from './canonical-action.ts';
import { grantedTo } from './granted-to.ts';
import { callDigest, hostCall } from './host-call.ts';
import { repeatCall } from './repeat-call.ts';

const bash = everyTool.find(({ name }) => name === 'bash');

const tool = (path: string, identity: string) => ({ toolchains: [{ path, identity }] });

function action(
  granted: readonly string[],
  toolchains: readonly ShownFolder[] = [],
  secretFiles: readonly string[] = [],
) {
  if (bash === undefined) throw new Error('there is no bash');
  const proposal = { sessionId: 's', runId: 'r', callId: 'c', tool: 'bash', workingFolder: '/w' };
  const given = { granted, toolchains, secretFiles };
  return buildAction(proposal, bash, bash.parse({ command: 'npm install' }), { id: 'a', time: 0 }, given);
}

describe('a call with permission for a server', () => {
  it('is another action than one without, or with another server: its hash covers them [FR4]', () => {
    const calls = [action([]), action(['a.test:443']), action(['a.test:80'])];
    expect(new Set(calls.map(({ hash }) => hash)).size).toBe(3);
    for (const call of calls) expect(callDigest(hostCall(call))).toBe(call.hash);
    const { granted: _, ...without } = hostCall(action(['a.test:443']));
    expect(callDigest(without)).not.toBe(action(['a.test:443']).hash);
  });
});

describe('a call with permission for a folder of programs', () => {
  it('is another action with another folder, or another one at its path: its hash covers both [FR4]', () => {
    const folders = [tool('/h/.t', '1'), tool('/h/.t', '2'), tool('/h/.u', '1')].map(
      ({ toolchains }) => toolchains,
    );
    const calls = [
      action([]),
      ...folders.map((shown) => action([], shown)),
      action(['a.test:443'], folders[0]),
    ];
    expect(new Set(calls.map(({ hash }) => hash)).size).toBe(5);
    for (const call of calls) expect(callDigest(hostCall(call))).toBe(call.hash);
    const { toolchains: _, ...without } = hostCall(action([], folders[0]));
    expect(callDigest(without)).not.toBe(action([], folders[0]).hash);
  });
});

describe('a call with permission for a file with credentials', () => {
  it('is another action than one without, or with another file: its hash covers them [FR4]', () => {
    const { toolchains } = tool('/h/.t', '1');
    const calls = [
      action([]),
      ...[['.env'], ['.npmrc'], ['.env', '.npmrc']].map((files) => action([], [], files)),
      action(['a.test:443'], toolchains, ['.env']),
    ];
    expect(new Set(calls.map(({ hash }) => hash)).size).toBe(5);
    for (const call of calls) expect(callDigest(hostCall(call))).toBe(call.hash);
    const { secretFiles: _, ...without } = hostCall(action([], [], ['.env']));
    expect(callDigest(without)).not.toBe(action([], [], ['.env']).hash);
  });
});

describe('a call with permission for a folder around its own', () => {
  it('is another action than one that may only read it: its hash covers that [FR4]', () => {
    const call = (folders: readonly ShownFolder[]) => {
      if (bash === undefined) throw new Error('there is no bash');
      const proposal = { sessionId: 's', runId: 'r', callId: 'c', tool: 'bash', workingFolder: '/w/app' };
      const given = { granted: ['a.test:443'], folders, toolchains: folders };
      return buildAction(proposal, bash, bash.parse({ command: 'ls' }), { id: 'a', time: 0 }, given);
    };
    const folder = { path: '/w', identity: '1' };
    const calls = [call([folder]), call([{ ...folder, write: true }]), call([{ ...folder, identity: '2' }])];
    expect(new Set(calls.map(({ hash }) => hash)).size).toBe(3);
    for (const one of calls) expect(callDigest(hostCall(one))).toBe(one.hash);
  });

  it('changes the outermost such folder, and its own without one', () => {
    const at = (path: string, write?: true) => ({ path, identity: '1', ...(write ? { write } : {}) });
    const folderOf = (...folders: readonly ShownFolder[]) =>
      transactionFolder({ workingFolder: '/w/a/app', folders });
    expect(folderOf()).toBe('/w/a/app');
    expect(folderOf(at('/w/a', true), at('/w', true))).toBe('/w');
    expect(folderOf(at('/w'), at('/w/a', true))).toBe('/w/a');
    expect(folderOf(at('/other', true), at('/w/a/ap', true))).toBe('/w/a/app');
  });

  it('may be changed if one of two permissions says so, in either order', () => {
    const [read, change] = [
      { folders: [{ path: '/w', identity: '1' }] },
      { folders: [{ path: '/w', identity: '1', write: true as const }] },
    ];
    expect([joinGiven(read, change), joinGiven(change, read)]).toEqual([change, change]);
  });

  it('changes nothing but its own folder in the background', () => {
    const grant = {
      kind: 'folder' as const,
      targets: ['/w'],
      identities: ['1'],
      write: true as const,
      ...{ id: 'g', scope: 'folder' as const, session: 's', folder: '/w/app', identity: '2', by: '', at: 0 },
      holder: { sender: '', channel: '', profile: '' },
    };
    const none = { everywhere: () => [], keepEverywhere: () => grant };
    const grants = {
      serving: () => [grant],
      list: () => [],
      revoke: () => false,
      keep: () => grant,
      ...none,
    };
    const proposal = { sessionId: 's', workingFolder: '/w/app' };
    const given = (background: boolean) =>
      grantedTo(grants, proposal, { command: 'x', ...(background ? { background } : {}) }, undefined);
    expect(given(false).folders).toEqual([{ path: '/w', identity: '1', write: true }]);
    expect(given(true).folders).toEqual([{ path: '/w', identity: '1' }]);
  });
});

describe('a call that is repeated', () => {
  const outcome = (repeat?: Repeat) => ({
    result: { text: 'x', isError: repeat !== undefined },
    refused: false,
    completed: { type: 'idle' as const },
    ...(repeat === undefined ? {} : { repeat }),
  });

  it('runs once for each permission, with all of them, and a bounded number of times [A6]', async () => {
    const seen: Repeat[] = [];
    const ended: unknown[] = [];
    const always = await repeatCall(
      async (_context, repeat) => {
        seen.push(repeat ?? { action: '', given: {} });
        const { length } = seen;
        if (length === 2) return outcome({ action: 'a', given: tool('/h/.t', '1') });
        return outcome({ action: 'a', given: { granted: [`h${length}.test:443`] } });
      },
      { repeated: (completed) => ended.push(completed) },
    );
    expect(seen.map(({ given: { granted = [] } }) => granted.length)).toEqual([0, 1, 1, 2]);
    expect(seen.map(({ given: { toolchains = [] } }) => toolchains.length)).toEqual([0, 0, 1, 1]);
    expect(ended).toHaveLength(3);
    expect(always.result.text.match(/it was run again/g)).toHaveLength(1);
  });

  it('runs once without a permission', async () => {
    let runs = 0;
    const { result } = await repeatCall(
      async () => {
        runs += 1;
        return outcome();
      },
      { repeated: () => {} },
    );
    expect([runs, result.text]).toEqual([1, 'x']);
  });
});
