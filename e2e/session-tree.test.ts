import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionEvent } from '@bulkhead/protocol';
import { ApprovalMode } from '@bulkhead/protocol/client';
import { describe, expect, it } from 'vitest';
import { parseEventLine, settledOf } from './support/event-lines.ts';
import { foundIn } from './support/home-bytes.ts';
import { OFFLINE_TITLES } from './support/stage.ts';
import { useSharedStage } from './support/use-stage.ts';
import { waitingCommand } from './support/waiting-command.ts';
import { sentMessages } from './support/wire-history.ts';

const stage = useSharedStage();

interface EntryJson {
  readonly entry: string;
  readonly session: string;
  readonly type: string;
  readonly label: string;
  readonly text: string;
  readonly message: unknown;
}

/** The answer to a message says which it answers. */
const echo = async () =>
  await stage().model(
    (request) => ({ text: `to ${sentMessages(request).findLast(({ role }) => role === 'user')?.text}` }),
    { models: OFFLINE_TITLES },
  );

/** Has a message answered, in a new session unless one is given. @returns the session */
async function say(content: string, session?: string): Promise<string> {
  await stage().withEngine();
  using client = await stage().client();
  const { sessionId } =
    session === undefined
      ? await client.call('createSession', { workingFolder: stage().folder })
      : { sessionId: session };
  const message = { messageId: randomUUID(), content, options: { approve: ApprovalMode.DENY } };
  const { afterSeq } = await client.call('sendMessage', { sessionId, ...message });
  const events: SessionEvent[] = [];
  for await (const { json } of client.stream('watch', { sessionId, afterSeq, follow: true })) {
    events.push(parseEventLine(json));
    if (events.at(-1)?.type === 'idle') break;
  }
  expect(settledOf(events)).toMatchObject({ message: message.messageId, outcome: 'completed' });
  return sessionId;
}

/** `bulkhead sessions …`, which must succeed. @returns what it printed */
async function sessions(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await stage().cli(['sessions', ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.trimEnd();
}

/** The conversation a session stands at, marks left out. */
async function conversation(session: string): Promise<readonly EntryJson[]> {
  const lines = (await sessions('show', session, '--entries', '--json')).split('\n');
  return lines.map((line): EntryJson => JSON.parse(line)).filter(({ message }) => message !== null);
}

const texts = (entries: readonly EntryJson[]) => JSON.stringify(entries.map(({ message }) => message));

describe('a fork', () => {
  it('shares the history up to its entry and goes its own way; the origin is as it was [S2]', async () => {
    const server = await echo();
    const origin = await say('first');
    await say('second', origin);
    const before = await conversation(origin);
    const fork = await sessions('fork', origin, '--at', before[1]?.entry ?? '');
    await say('elsewhere', fork);
    expect(sentMessages(server.requests.at(-1) ?? noRequest()).map(({ text }) => text)).toEqual([
      ...['first', 'to first', 'elsewhere'],
    ]);
    expect(await conversation(origin)).toEqual(before);
    await say('third', origin);
    expect(sentMessages(server.requests.at(-1) ?? noRequest()).map(({ text }) => text)).toEqual([
      ...['first', 'to first', 'second', 'to second', 'third'],
    ]);
    const listed: { session: string; origin: unknown }[] = JSON.parse(await sessions('list', '--json'));
    expect(listed.find(({ session }) => session === fork)?.origin).toEqual({
      session: origin,
      entry: before[1]?.entry,
    });
    const shown = await sessions('show', fork);
    expect(shown).toContain('to first');
    expect(shown).toContain('to elsewhere');
    expect(shown).not.toContain('to second');
  });

  it('keeps its origin from being deleted, unless both are meant [S2]', async () => {
    await echo();
    const origin = await say('first');
    const fork = await sessions('fork', origin);
    const refused = await stage().cli(['sessions', 'delete', origin, '--yes']);
    expect(refused.errors).toEqual([expect.stringMatching(`${fork}.*--with-forks`)]);
    expect(await conversation(fork)).toHaveLength(2);
    await sessions('delete', origin, '--yes', '--with-forks');
    const left: { session: string }[] = JSON.parse(await sessions('list', '--json'));
    expect(left.filter(({ session }) => [origin, fork].includes(session))).toEqual([]);
  });
});

describe('moving in a session', () => {
  it('goes back to an entry, tells the model what was left, and loses nothing [S2] [K3]', async () => {
    const server = await echo();
    const session = await say('first');
    await say('a dead end', session);
    const before = await conversation(session);
    const left = before.at(-1)?.entry ?? '';
    await sessions('move', session, before[1]?.entry ?? '', '--summary', 'we tried a wall');
    await say('another way', session);
    const sent = sentMessages(server.requests.at(-1) ?? noRequest()).map(({ text }) => text);
    expect(sent.join('\n')).toContain('we tried a wall');
    expect(sent.join('\n')).not.toContain('a dead end');
    expect(sent.at(-1)).toContain('another way');

    await sessions('label', session, left, 'the wall');
    await sessions('move', session, left);
    const again = await conversation(session);
    expect(texts(again)).toBe(texts(before));
    expect(again.at(-1)?.label).toBe('the wall');
    await sessions('label', session, left, '');
    expect((await conversation(session)).at(-1)?.label).toBe('');

    await sessions('move', session, 'start');
    await say('from nothing', session);
    expect(sentMessages(server.requests.at(-1) ?? noRequest()).map(({ text }) => text)).toEqual([
      'from nothing',
    ]);
  });

  it('is refused while a run goes on, and to an unknown entry [S2] [T4]', async () => {
    await stage().model([{ toolCalls: [waitingCommand] }, { text: 'done' }]);
    const run = stage().start(['run', '--json', 'go']);
    const { session } = await run.event('tool_delta', ({ text }) => text.includes('begun'));
    for (const verb of [
      ['move', session, 'start'],
      ['fork', session],
      ['delete', session, '--yes'],
    ]) {
      const { code, errors } = await stage().cli(['sessions', ...verb]);
      expect({ code, errors }).toEqual({
        code: 1,
        errors: [expect.stringMatching(/the run for message .* is going on/)],
      });
    }
    stage().write('go', '');
    expect((await run.done()).code).toBe(0);
    expect((await stage().cli(['sessions', 'move', session, 'nobody'])).errors).toEqual([
      expect.stringContaining('nobody'),
    ]);
  });
});

describe('the search', () => {
  it('finds words in every session, forks and what was left included, and nothing that is deleted [S2]', async () => {
    await echo();
    const one = await say('a walrus on the ice');
    const two = await say('the walrus again');
    const fork = await sessions('fork', two);
    await say('a walrus in a fork', fork);
    const found = async (query: string): Promise<readonly string[]> => {
      const hits: { session: string }[] = JSON.parse(await sessions('search', query, '--json'));
      return [...new Set(hits.map(({ session }) => session))].toSorted();
    };
    expect(await found('walrus')).toEqual([one, two, fork].toSorted());
    expect(await found('walrus ice')).toEqual([one]);
    await sessions('move', one, 'start');
    expect(await found('walrus ice')).toEqual([one]);
    await stage().cli(['restart']);
    expect(await found('walrus')).toEqual([one, two, fork].toSorted());
    await sessions('delete', one, '--yes');
    expect(await found('walrus')).toEqual([two, fork].toSorted());
  });
});

describe('a session as a file', () => {
  it('comes back from JSONL as it was, branches and labels included [S2]', async () => {
    const server = await echo();
    const session = await say('first');
    await say('a blind alley', session);
    const [, answer, , end] = await conversation(session);
    await sessions('label', session, end?.entry ?? '', 'the end');
    await sessions('move', session, answer?.entry ?? '');
    await say('another way', session);
    const file = join(stage().folder, 'session.jsonl');
    await sessions('export', session, '--output', file);
    const copy = await sessions('import', file, '--own');
    expect(copy).not.toBe(session);
    expect(texts(await conversation(copy))).toBe(texts(await conversation(session)));
    await say('go on', copy);
    expect(sentMessages(server.requests.at(-1) ?? noRequest()).map(({ text }) => text)).toEqual([
      ...['first', 'to first', 'another way', 'to another way', 'go on'],
    ]);
    // The abandoned branch is found too.
    expect(JSON.parse(await sessions('search', 'blind alley', '--json'))).toHaveLength(4);
    const lines = (text: string) => text.trimEnd().split('\n').length;
    expect(lines(await sessions('export', await sessions('import', file)))).toBe(
      lines(readFileSync(file, 'utf8')),
    );
    expect((await stage().cli(['sessions', 'export', session, '--output', file])).code).not.toBe(0);
  });

  it('is a page that stands for itself: no script, nothing from elsewhere, all that was said escaped [S2]', async () => {
    const evil = '<script>alert(1)</script><img src=x onerror=alert(1)> "\'&';
    await stage().model([{ text: `${evil} ![i](http://127.0.0.1/i.png) [l](javascript:alert(1))` }]);
    const session = await say(evil);
    const page = await sessions('export', session, '--format', 'html');
    expect(page).toContain('&lt;script&gt;');
    // Nothing but plain elements, with attributes that lead nowhere.
    const tags = [...page.matchAll(/<([a-z][a-z0-9]*)([^>]*)>/gi)].map(([, name = '', rest = '']) => ({
      name,
      rest,
    }));
    const plain = /^(html|head|meta|title|style|body|header|h1|h2|dl|dt|dd|a|p|time|main|article|div)$/;
    expect(tags.filter(({ name }) => !plain.test(name))).toEqual([]);
    expect(
      tags.filter(({ rest }) => /\b(on\w+|src|href(?!="#entry-)|srcset|style|action)\s*=/i.test(rest)),
    ).toEqual([]);
    expect(page).not.toMatch(/@import|url\(/i);
    expect(page).toContain("default-src 'none'");
  });

  it('that was changed, cut, is later or something else is refused in one line, and nothing is imported [S2]', async () => {
    const damages: Readonly<Record<string, (text: string) => string>> = {
      changed: (text) => text.replace('to first', 'to FIRST'),
      'without its end': (text) => text.split('\n').slice(0, -2).join('\n'),
      'without a line': (text) => text.split('\n').toSpliced(2, 1).join('\n'),
      'of a later version': (text) => text.replace('"version":1', '"version":99'),
      'something else': () => 'hello\n',
      empty: () => '',
    };
    await echo();
    const session = await say('first');
    const text = `${await sessions('export', session)}\n`;
    const file = join(stage().folder, 'session.jsonl');
    const before = await sessions('list', '--json');
    for (const [what, damage] of Object.entries(damages)) {
      writeFileSync(file, damage(text));
      const { code, stdout, errors } = await stage().cli(['sessions', 'import', file]);
      expect({ what, code, stdout, errors }).toEqual({
        what,
        code: 2,
        stdout: '',
        errors: [expect.stringMatching(/line \d+/)],
      });
    }
    expect(await sessions('list', '--json')).toBe(before);
    expect(await conversation(session)).toHaveLength(2);
  });
});

describe('deleting a session', () => {
  it('takes its words from every file of the home, and leaves the others [S2]', async () => {
    const words = ['the-deleted-question', 'the-deleted-answer', 'the-deleted-output', 'the-deleted-title'];
    const [question = '', answer = '', output = '', title = ''] = words;
    await stage().model([
      { toolCalls: [{ name: 'bash', args: { command: `yes ${output} | head -c 400000` } }] },
      { text: answer },
      { text: 'kept' },
    ]);
    const session = await say(question);
    await sessions('title', session, title);
    await sessions('search', question);
    const kept = await say('the-kept-question');
    for (const word of words) expect(foundIn(stage().layout.root, [word])).not.toEqual([]);
    await sessions('delete', session, '--yes');
    expect(foundIn(stage().layout.root, words)).toEqual([]);
    expect(existsSync(join(stage().layout.outputs, session))).toBe(false);
    await stage().cli(['stop']);
    expect(foundIn(stage().layout.root, words)).toEqual([]);
    expect(foundIn(stage().layout.root, ['the-kept-question'])).not.toEqual([]);
    await stage().withEngine();
    expect(await conversation(kept)).toHaveLength(2);
    expect((await stage().cli(['sessions', 'show', session])).code).toBe(1);
  });
});

function noRequest(): never {
  throw new Error('there was no such request');
}
