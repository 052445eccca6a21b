import { errorMetadata } from '@bulkhead/client';
import { BulkheadError } from '@bulkhead/protocol';
import { Code, ConnectError } from '@connectrpc/connect';
import { describe, expect, it } from 'vitest';
import { sessionAmong } from '../testing/scripted-engine.ts';
import { ATTACK, DAMAGE, INERT, SessionsStage } from '../testing/sessions-stage.ts';

describe('sessions', () => {
  it('lists titles, origins, what is off the record, and what is damaged', async () => {
    await using stage = await SessionsStage.open();
    expect((await stage.see('list').end).out.split('\n')).toEqual([
      `root  2026-01-02T00:00:00.000Z  plans ${INERT}`,
      '  4 messages in /w',
      'fork  2026-01-02T00:00:00.000Z  (no title)',
      '  2 messages in , shares the history of root up to e2',
      'leaf  2026-01-02T00:00:00.000Z  deep',
      '  1 message in , shares the history of fork up to e9',
      'quiet  2026-01-02T00:00:00.000Z  secret  off the record',
      '  0 messages in ',
      'broken  2026-01-02T00:00:00.000Z  x',
      '  0 messages in ',
      `  damaged: row 7 is gone${INERT}`,
      '',
    ]);
    expect(JSON.parse((await stage.call('list', '--json')).out)).toMatchObject([
      { session: 'root', origin: null, offTheRecord: false, damage: '' },
      { session: 'fork', origin: { session: 'root', entry: 'e2' } },
      { session: 'leaf' },
      { session: 'quiet', offTheRecord: true },
      { session: 'broken', damage: DAMAGE },
    ]);
  });

  it('finds messages in all sessions', async () => {
    await using stage = await SessionsStage.open();
    const { out } = await stage.see('search', 'two', 'words', '--limit', '3').end;
    expect(out).toBe(`root  t  t${INERT}\n  user: …a ${INERT}  e1\n`);
    expect(stage.asked).toMatchObject([['search', { query: 'two words', limit: 3 }]]);
    expect(JSON.parse((await stage.call('search', 'x', '--json')).out)).toMatchObject([
      { session: 'root', entry: 'e1', role: 'user' },
    ]);
  });

  it('says that nothing was found, and finds it no error', async () => {
    await using stage = await SessionsStage.open({ searchSessions: () => ({ hits: [] }) });
    expect(await stage.call('search', 'x')).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringContaining('nothing found'),
    });
  });

  it('shows a fork with what it shares, then its own', async () => {
    await using stage = await SessionsStage.open();
    stage.engine.addSession('fork', [{ type: 'message_end', role: 'user', text: 'another way' }]);
    const { out } = await stage.see('show', 'fork').end;
    expect(stage.asked).toMatchObject([['branch', { sessionId: 'fork', entryId: 'e2' }]]);
    expect(out).toBe(
      'you\n  a question\nbulkhead\n  let me look\n▸ ls a\n✓ ls 2 lines\n── forked here from root at e2 ──\nyou\n  another way\n',
    );
  });

  it('shows what a session was imported with, then its own, as text that does nothing [S2]', async () => {
    const said = { role: { case: 'user' as const, value: { text: `said elsewhere${ATTACK}` } } };
    await using stage = await SessionsStage.open({
      readSession: () => ({ session: { sessionId: 'brought', title: 'x', messages: 2 } }),
      async *readBranch(request) {
        if (request.imported) yield { entries: [{ entryId: 'e1', type: 'message_end', message: said }] };
      },
    });
    stage.engine.addSession('brought', [{ type: 'message_end', role: 'user', text: 'said here' }]);
    const { out } = await stage.see('show', 'brought').end;
    expect(out).toBe(`you\n  said elsewhere${INERT}\n── imported up to here ──\nyou\n  said here\n`);
  });

  it('shows the entries that can be named', async () => {
    await using stage = await SessionsStage.open();
    expect((await stage.see('show', 'root', '--entries').end).out.split('\n')).toEqual([
      `e1  t1  you  [begin${INERT}]`,
      '  a question',
      '  (1 image)',
      'e2  t2  bulkhead',
      '  let me look',
      '  ▸ ls a',
      'e3  t3  ls',
      `  one${INERT} …`,
      'e4  t4  compaction',
      `  it began${INERT}`,
      '',
    ]);
    const lines = (await stage.call('show', 'root', '--entries', '--json')).out.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { entry: 'e1', session: 'root', message: { user: { text: 'a question' } } },
      { entry: 'e2' },
      { entry: 'e3' },
      { entry: 'e4', message: null, text: `it began${ATTACK}` },
    ]);
  });

  it('forks, moves, labels and titles', async () => {
    await using stage = await SessionsStage.open();
    expect(await stage.call('fork', 'root', '--at', 'e1')).toEqual({ code: 0, out: 'forked\n', err: '' });
    expect((await stage.call('move', 'root', 'start', '--summary', 'went wrong')).out).toBe(
      'moved to start\nundo with: bulkhead sessions move root e4\n',
    );
    expect((await stage.call('label', 'root', 'e1', 'the', 'good', 'one')).out).toBe(
      'labelled: the good one\n',
    );
    expect((await stage.call('label', 'root', 'e1', '')).out).toBe('label removed\n');
    expect((await stage.see('title', 'root', `a ${ATTACK}`).end).out).toBe(`title: a ${INERT}\n`);
    expect(stage.asked.filter(([name]) => name !== 'branch')).toMatchObject([
      ['fork', { sessionId: 'root', entryId: 'e1' }],
      ['move', { sessionId: 'root', entryId: '', summary: 'went wrong' }],
      ['label', { entryId: 'e1', label: 'the good one' }],
      ['label', { label: '' }],
      ['title', { sessionId: 'root', title: `a ${ATTACK}` }],
    ]);
    expect(JSON.parse((await stage.call('fork', 'root', '--json')).out)).toEqual({ session: 'forked' });
    expect(JSON.parse((await stage.call('move', 'root', 'e1', '--json')).out)).toEqual({
      session: 'root',
      entry: 'e1',
      from: 'e4',
    });
  });

  it('takes the beginning of an id, and names the sessions if there are several', async () => {
    const sessions = ['01ABCDEF', '01ABCDEG', '01XXXXXX'].map((sessionId) => ({ sessionId }));
    await using stage = await SessionsStage.open({
      readSession: ({ sessionId }) => ({ session: sessionAmong(sessions, sessionId) }),
    });
    expect(await stage.call('fork', '01ABCD')).toEqual({
      code: 2,
      out: '',
      err: 'bulkhead: 2 sessions could be 01ABCD: 01ABCDEF, 01ABCDEG. Give the last characters of the id: its beginning is a time.\n',
    });
    await stage.call('title', '01XXXX', 'new');
    await stage.call('export', '01ABCDEG');
    expect(stage.asked).toMatchObject([
      ['title', { sessionId: '01XXXXXX' }],
      ['export', { sessionId: '01ABCDEG' }],
    ]);
  });

  it('explains a session that is busy', async () => {
    const forkSession = () => {
      const fix = 'Wait until it is idle, or cancel what it does.';
      const busy = new BulkheadError('busy', "session root can't be forked now: a run is going on", { fix });
      throw new ConnectError(busy.message, Code.ResourceExhausted, errorMetadata(busy));
    };
    await using stage = await SessionsStage.open({ forkSession });
    expect(await stage.call('fork', 'root')).toEqual({
      code: 1,
      out: '',
      err: "bulkhead: session root can't be forked now: a run is going on. Wait until it is idle, or cancel what it does.\n",
    });
  });

  it.each([
    [['export', 'root', '--format', 'pdf'], '--format is jsonl or html'],
    [['export', 'root', '--force'], '--force needs --output'],
    [['import', 'x', '--cwd', '/no/such'], 'does not exist'],
    [['import', 'chat.html'], 'only a JSON Lines export can be imported'],
    [['title', 'root', ' '], 'needs TEXT'],
    [['search', ' '], 'needs QUERY'],
    [['search', 'x', '--limit', '0'], '--limit'],
    [['move', 'root'], 'needs ID and ENTRY'],
    [['fork', 'root', 'e1'], 'unexpected argument "e1"'],
  ])('refuses %j', async (argv, part) => {
    await using stage = await SessionsStage.open();
    expect(await stage.call(...argv)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(part) });
    expect(stage.asked).toEqual([]);
  });
});
