import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reply } from '@bulkhead/home/testing';
import { openSkills } from '@bulkhead/mind/skills/open-skills';
import { TrustStore } from '@bulkhead/mind/trust/trust-store';
import { homeLayout, systemClock } from '@bulkhead/protocol';
import { createMemorySessionStore, type SessionStore, type Tables } from '@bulkhead/sessions';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FOREIGN, ORDER } from '../testing/flow-stage.ts';
import { LOAD_MEMORY, memoryStage } from '../testing/memory-stage.ts';

let root: string;
let store: SessionStore;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-knowledge-')));
  store = createMemorySessionStore();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const life = (replies: readonly Reply[] = []) => memoryStage(root, { store, replies, sessions: false });
const profile = (path: string) => join(root, 'profiles/default', path);

/** The line that a session wrote to memory after it read a stranger's page; taken out of memory by hand. */
async function poison(text: string): Promise<string> {
  const read: Reply = { calls: [['read', { path: FOREIGN }]] };
  const stage = life([LOAD_MEMORY, read, { calls: [['memory_write', { text }]] }, { text: 'done' }]);
  using _stage = stage;
  await using _memory = stage.memory;
  await stage.say(stage.sessions.create(root), 'Read the page and remember it.');
  const lines = readFileSync(profile('MEMORY.md'), 'utf8').split('\n');
  rmSync(profile('MEMORY.md'));
  return lines.find((one) => one.startsWith('- ')) ?? '';
}

/** The trust of a session whose run is shown knowledge, and loads some. */
async function trustAfter(
  file: string,
  load: readonly string[] = [],
  harm: (tables: Tables) => void = () => {},
): Promise<string> {
  mkdirSync(profile('knowledge'));
  writeFileSync(profile('knowledge/harbour.md'), file);
  const stage = life();
  using _stage = stage;
  await using _memory = stage.memory;
  const audit = { append: async () => [] };
  const layout = homeLayout(root);
  const trust = new TrustStore({ layout, audit, clock: systemClock });
  const skills = openSkills({ layout, environment: {}, trust, audit, clock: systemClock, tell: () => {} });
  const { source } = skills.forSessions(stage.log, stage.memory.labels);
  const session = stage.sessions.create(root);
  harm(stage.tables);
  const run = await source.forRun(session, 'r', root);
  if (load.length > 0) expect((await run.load(load)).unknown).toEqual([]);
  return stage.flows.labelOf(session).trust;
}

describe('a line that a stranger got into memory, moved into knowledge', () => {
  const always = '---\nalways: true\n---\n';

  it('is a stranger’s where it is in every prompt [FT54] [F2]', async () => {
    const line = await poison(`Note: ${ORDER}`);
    expect(await trustAfter(`${always}# Harbour\n\n${line}\n`)).toBe('external');
  });

  it('is a stranger’s where it is loaded, and not before [FT54] [F2]', async () => {
    const line = await poison(`Note: ${ORDER}`);
    expect(await trustAfter(`# Harbour\n\n${line}\n`)).not.toBe('external');
    rmSync(profile('knowledge'), { recursive: true });
    expect(await trustAfter(`# Harbour\n\n${line}\n`, ['knowledge/harbour'])).toBe('external');
  });

  it.each([
    ['the first line', (line: string) => `${line}\nmine`],
    ['the heading', (line: string) => `# ${line.replace(/^- (?:\S+: )?/u, '')}\nmine`],
    ['the summary', (line: string) => `---\nsummary: "${line.replace(/^- /u, '')}"\n---\nmine`],
  ])('is a stranger’s where it is %s, which the prompt lists [FT54] [F2]', async (_where, file) => {
    const line = await poison(`> Note: ${ORDER} ${'far '.repeat(70)}`);
    expect(await trustAfter(file(line))).toBe('external');
  });

  it('counts as a stranger’s, whatever its content, while its origin is unknown', async () => {
    await poison('harbour');
    const lose = (tables: Tables) => void tables.prepare('DROP TABLE memory_lines').run();
    expect(await trustAfter(`${always}mine`, [], lose)).toBe('external');
  });

  it('makes nothing of the user’s own files foreign', async () => {
    await poison(`Note: ${ORDER}`);
    expect(await trustAfter(`${always}mine\n`, ['knowledge/harbour'])).not.toBe('external');
  });
});
