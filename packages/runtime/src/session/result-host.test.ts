import type { Reply } from '@bulkhead/home/testing';
import { testCall } from '@bulkhead/tools/testing';
import { describe, expect, it } from 'vitest';
import { sessionStage } from '../testing/session-stage.ts';
import { createResultHost } from './result-host.ts';

const WHOLE = Array.from({ length: 3_000 }, (_, at) => `line ${at}`).join('\n');

async function session() {
  const read: Reply = { calls: [['read', { path: 'a' }]] };
  const test = sessionStage({
    replies: [read, { text: 'one' }, { text: 'two' }],
    act: () => ({ text: WHOLE, isError: false }),
  });
  const id = test.create();
  for (const message of ['m1', 'm2']) {
    test.send(id, message);
    await test.settle();
  }
  const host = createResultHost(test.store);
  const open = async (args: object, sessionId = id) =>
    await host.execute(testCall('result_open', args, { sessionId }), () => {}, new AbortController().signal);
  return { test, id, open };
}

describe('result_open', () => {
  it('gives a result back whole, in pieces, and also from before a compaction [K5]', async () => {
    const { test, id, open } = await session();
    expect(await open({ id: 'call-1' })).toEqual({ text: WHOLE, isError: false });
    const first = await open({ id: 'call-1', limit: 100 });
    expect(first.text).toBe(
      `${WHOLE.slice(0, 100)}\n[${WHOLE.length - 100} characters more: go on with offset 100.]`,
    );
    expect((await open({ id: 'call-1', offset: 100 })).text).toBe(WHOLE.slice(100));
    const { leaf } = test.sessions.session(id);
    const mark = test.log.mark(leaf, (own) => ({
      type: 'compaction',
      body: { summary: 'short', keptFrom: own },
    }));
    test.log.append(id, [mark.record], { leaf: mark.id });
    expect(test.history(id).join()).not.toContain('line 7');
    expect((await open({ id: 'call-1' })).text).toBe(WHOLE);
  });

  it('opens nothing of another session, and says what is wrong', async () => {
    const { test, open } = await session();
    const other = test.create();
    for (const [args, where] of [[{ id: 'call-1' }, other], [{ id: 'call-9' }]] as const) {
      expect(await open(args, where)).toMatchObject({ isError: true });
    }
    await expect(open({ path: '/etc' })).rejects.toThrow('unknown argument "path"');
  });
});
