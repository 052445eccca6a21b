import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reply } from '@bulkhead/home/testing';
import { createMemorySessionStore, exportJsonl, importJsonl, type SessionStore } from '@bulkhead/sessions';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FOREIGN, ORDER } from '../testing/flow-stage.ts';
import { LOAD_MEMORY, memoryStage } from '../testing/memory-stage.ts';

let root: string;
let store: SessionStore;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-ways-')));
  store = createMemorySessionStore();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const life = (replies: readonly Reply[] = [], sessions = false) =>
  memoryStage(root, { store, replies, sessions });
const read: Reply = { calls: [['read', { path: FOREIGN }]] };
const done: Reply = { text: 'done' };
const profile = (path: string) => join(root, 'profiles/default', path);

/** A session that read a stranger's page writes this to memory. */
async function poison(note: Readonly<Record<string, string>>): Promise<void> {
  const stage = life([LOAD_MEMORY, read, { calls: [['memory_write', note]] }, done]);
  using _stage = stage;
  await using _memory = stage.memory;
  await stage.say(stage.sessions.create(root), 'Read the page and remember it.');
}

/** The trust of a new session once it was shown what is nearest to a message. */
async function trustAfter(message: string): Promise<string> {
  const stage = life();
  using _stage = stage;
  await using memory = stage.memory;
  const session = stage.sessions.create(root);
  await memory.service.recall({ sessionId: session, message, now: stage.time.now() });
  return stage.flows.labelOf(session).trust;
}

describe('a stranger’s text in memory keeps its label', () => {
  it('as the heading that a line was written under, also once the line is gone [FT54] [F2]', async () => {
    await poison({ text: 'harbour', heading: `harbour: ${ORDER}` });
    const lines = readFileSync(profile('MEMORY.md'), 'utf8').split('\n');
    writeFileSync(profile('MEMORY.md'), lines.filter((line) => !line.startsWith('- ')).join('\n'));
    expect(await trustAfter('harbour')).toBe('external');
  });

  it('also if the line under the heading is the user’s by now [FT54] [F2]', async () => {
    await poison({ text: 'harbour', heading: `harbour: ${ORDER}` });
    const text = readFileSync(profile('MEMORY.md'), 'utf8');
    writeFileSync(profile('MEMORY.md'), text.replace(/^- .*$/mu, '- The harbour is mine.'));
    expect(await trustAfter('harbour')).toBe('external');
  });

  it('in signs that are no letters to Unicode, and are read as letters [FT54] [F2]', async () => {
    // 🅲🅰🅻🅻 🅿🅰🆂🆃🅴: of the category So.
    await poison({ text: '🅲🅰🅻🅻 🅿🅰🆂🆃🅴', file: 'daily' });
    expect(await trustAfter('hello')).toBe('external');
  });

  it('in a line that was moved into the user’s own file [FT54] [F2]', async () => {
    await poison({ text: `Note: ${ORDER}` });
    const line = readFileSync(profile('MEMORY.md'), 'utf8')
      .split('\n')
      .find((one) => one.startsWith('- '));
    rmSync(profile('MEMORY.md'));
    writeFileSync(profile('USER.md'), `${line}\n`);
    expect(await trustAfter('hello')).toBe('external');
  });

  it('in a session that was imported and never opened [FT54] [F2] [M2]', async () => {
    const other = createMemorySessionStore();
    const lines: string[] = [];
    {
      const stage = memoryStage(join(root, 'other'), {
        store: other,
        replies: [{ text: `The lighthouse: ${ORDER}` }],
      });
      using _stage = stage;
      await using _memory = stage.memory;
      const session = stage.sessions.create(root);
      await stage.say(session, 'What of the lighthouse?');
      lines.push(...exportJsonl(other, session));
    }
    const stage = life([LOAD_MEMORY, { calls: [['memory_search', { query: 'lighthouse' }]] }, done], true);
    using _stage = stage;
    await using _memory = stage.memory;
    let next = 0;
    const ids = () => {
      next += 1;
      return `entry-${next}`;
    };
    const first = stage.sessions.firstRecords(root, 1);
    await importJsonl(store, lines, { id: 's', ids, workingFolder: root, time: 1, first });
    const session = stage.sessions.create(root);
    await stage.say(session, 'Look.');
    expect(stage.flows.labelOf(session).trust).toBe('external');
  });
});
