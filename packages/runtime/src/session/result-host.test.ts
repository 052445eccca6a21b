import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reply } from '@bulkhead/home/testing';
import { testCall } from '@bulkhead/tools/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
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
  const outputs = mkdtempSync(join(tmpdir(), 'bulkhead-outputs-'));
  onTestFinished(() => rmSync(outputs, { recursive: true, force: true }));
  const host = createResultHost(test.store, (session) => join(outputs, session));
  const open = async (args: object, sessionId = id) =>
    await host.execute(testCall('result_open', args, { sessionId }), () => {}, new AbortController().signal);
  return { test, id, open, outputs };
}

describe('result_open', () => {
  it('gives a result back whole, in pieces, and also from before a compaction [K5]', async () => {
    const { test, id, open } = await session();
    expect(await open({ id: 'call-1' })).toEqual({ text: WHOLE, isError: false });
    const first = await open({ id: 'call-1', limit: 100 });
    expect(first.text).toBe(`${WHOLE.slice(0, 100)}\n[${WHOLE.length - 100} more: go on with offset 100.]`);
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

  it('shows the whole output of a command, in parts that cut no character, by the id of its notice [K5, B2]', async () => {
    const { id, open, outputs } = await session();
    const whole = '€€é\n'.repeat(30_000);
    mkdirSync(join(outputs, id));
    writeFileSync(join(outputs, id, 'act-1.txt'), whole);
    let text = '';
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const part = (await open({ id: 'act-1', offset, limit: 49_999 })).text;
      const more: RegExpExecArray | null = /\n\[\d+ more: go on with offset (\d+)\.\]$/.exec(part);
      text += more === null ? part : part.slice(0, more.index);
      offset = more === null ? undefined : Number(more[1]);
    }
    expect(text).toBe(whole);
    const size = Buffer.byteLength(whole);
    expect((await open({ id: 'act-1', offset: size })).text).toBe(`[The result ends at ${size}.]`);
  });

  it('opens no output of another session, no link and no other place by an id', async () => {
    const { test, id, open, outputs } = await session();
    const other = test.create();
    for (const folder of [id, other]) mkdirSync(join(outputs, folder));
    writeFileSync(join(outputs, other, 'act-2.txt'), 'of another session');
    symlinkSync(join(outputs, other, 'act-2.txt'), join(outputs, id, 'link.txt'));
    mkdirSync(join(outputs, id, 'folder.txt'));
    for (const one of ['act-2', `../${other}/act-2`, 'link', 'folder', 'link.txt']) {
      expect(await open({ id: one }), one).toMatchObject({ isError: true });
    }
    expect((await open({ id: 'act-2' }, other)).text).toBe('of another session');
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
