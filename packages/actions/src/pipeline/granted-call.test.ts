import { everyTool } from '@bulkhead/tools';
import { describe, expect, it } from 'vitest';
import { buildAction } from './canonical-action.ts';
import { callDigest, hostCall } from './host-call.ts';
import { repeatCall } from './repeat-call.ts';

const bash = everyTool.find(({ name }) => name === 'bash');

function action(granted: readonly string[]) {
  if (bash === undefined) throw new Error('there is no bash');
  const proposal = { sessionId: 's', runId: 'r', callId: 'c', tool: 'bash', workingFolder: '/w' };
  return buildAction(proposal, bash, bash.parse({ command: 'npm install' }), { id: 'a', time: 0 }, granted);
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

describe('a call that is repeated', () => {
  const outcome = (repeat?: { action: string; granted: readonly string[] }) => ({
    result: { text: 'x', isError: repeat !== undefined },
    refused: false,
    completed: { type: 'idle' as const },
    ...(repeat === undefined ? {} : { repeat }),
  });

  it('runs once for each permission, with all of them, and a bounded number of times [A6]', async () => {
    const seen: (readonly string[])[] = [];
    const ended: unknown[] = [];
    const always = await repeatCall(
      async (_context, repeat) => {
        seen.push(repeat?.granted ?? []);
        return outcome({ action: 'a', granted: [`h${seen.length}.test:443`] });
      },
      { repeated: (completed) => ended.push(completed) },
    );
    expect(seen.map((places) => places.length)).toEqual([0, 1, 2, 3]);
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
