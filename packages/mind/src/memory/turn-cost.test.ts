import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { buildTurnPart, textTokens } from '@bulkhead/agent';
import { openMemoryIndex, ProfileFiles } from '@bulkhead/memory';
import { TurnContextSchema } from '@bulkhead/protocol/agent';
import { memoryTables } from '@bulkhead/sessions/testing';
import { createRedaction } from '@bulkhead/shield';
import { expect, it } from 'vitest';
import { createLineRecords } from './line-records.ts';
import { MemoryLabels } from './memory-labels.ts';
import { MemoryService } from './memory-service.ts';
import { MemoryView } from './memory-view.ts';

const NOW = new Date(2026, 10, 22, 12).getTime();
const DAY_MS = 86_400_000;
const PLACES = ['harbour', 'workshop', 'orchard', 'library', 'station', 'bakery', 'lighthouse'];
const DOINGS = ['mended the roof with', 'bought paint from', 'met', 'lent a ladder to', 'played chess with'];
const PEOPLE = ['Ada', 'Bruno', 'Chloe', 'Dmitri', 'Esra', 'Farouk', 'Greta', 'Hana'];

/** Entry number `at`: each with something of its own, and words that many share. */
function entry(at: number): string {
  const pick = (list: readonly string[], step: number) => list[Math.floor(at / step) % list.length];
  return `- At the ${pick(PLACES, 1)} I ${pick(DOINGS, 7)} ${pick(PEOPLE, 35)}, ticket k${at.toString(36)}`;
}

/** As people keep them: half of them in MEMORY.md, the others in notes of days long past, and a few in those of the last days. */
function writeEntries(root: string, count: number): void {
  const put = (path: string, lines: readonly string[]) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${lines.join('\n')}\n`);
  };
  const note = (daysAgo: number, lines: readonly string[]) => {
    const day = new Date(NOW - daysAgo * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
    put(`memory/${day.slice(0, 6)}/${day}.md`, lines);
  };
  const entries = Array.from({ length: count }, (_, at) => entry(at));
  put('MEMORY.md', entries.slice(0, count / 2));
  const perDay = Math.max(5, Math.ceil(count / 1_000));
  for (let at = count / 2; at < count; at += perDay) note(400 + at / perDay, entries.slice(at, at + perDay));
  for (const daysAgo of [1, 2, 3]) note(daysAgo, ['- Slept well', '- Swept the yard', '- Baked bread']);
}

/**
 * The memory shown to a turn with this many entries: tokens by size, and whether it holds the
 * answer.
 */
async function turnOf(count: number) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-cost-')));
  try {
    const folder = join(root, 'profile');
    writeEntries(folder, count);
    const files = new ProfileFiles(folder, () => '0123456789abcdef');
    const index = openMemoryIndex({ path: join(root, 'index.db'), onNotice: () => {} });
    const warnings: string[] = [];
    const tell = (problem: string): void => void warnings.push(problem);
    await using view = new MemoryView({ files, sessions: () => [], open: async () => index, tell });
    const labelOfSession = () => ({ secrecy: 'internal', trust: 'user' }) as const;
    const redaction = createRedaction([]);
    const service = new MemoryService({
      isEnabled: true,
      byMeaning: false,
      files,
      view,
      labels: new MemoryLabels({
        files,
        redaction,
        records: createLineRecords(memoryTables(), 'default'),
        labelOfSession,
      }),
      // However slow this machine is, nothing is given up.
      timers: { after: () => ({ [Symbol.dispose]: () => {} }) },
      clock: { now: () => NOW },
      redaction,
      shown: () => {},
      tell,
    });
    await service.warm('files');
    const wanted = Math.floor(count * 0.4);
    const wordsOf = async (message: string) => {
      const { chunks, notes, whole = '' } = await service.recall({ sessionId: 's', message, now: NOW });
      const memory = chunks.map(({ path, heading, date, text }) => ({ path, heading, date, text }));
      const shown = notes.map(({ date, text }) => ({ date, text }));
      return buildTurnPart(create(TurnContextSchema, { memory, notes: shown, wholeMemory: whole }));
    };
    const begun = performance.now();
    const text = await wordsOf('Whom did I meet at the harbour, in the orchard or in the library?');
    const ms = performance.now() - begun;
    const found = (await wordsOf(`Who had ticket k${wanted.toString(36)}?`)).includes(entry(wanted));
    return { count, tokens: textTokens(text), ms, found, warnings };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

it('costs a turn no more with 100,000 entries of memory than with a thousand [C3]', {
  timeout: 600_000,
}, async () => {
  const few = await turnOf(10);
  const some = await turnOf(1_000);
  const many = await turnOf(100_000);
  for (const { count, tokens, ms } of [few, some, many]) {
    process.stdout.write(`memory in a turn: ${count} entries, ${tokens} tokens, ${Math.round(ms)} ms\n`);
  }
  expect([few.found, some.found, many.found]).toEqual([true, true, true]);
  expect([few, some, many].flatMap(({ warnings }) => warnings)).toEqual([]);
  expect(many.tokens).toBeLessThan(1.1 * some.tokens);
  // The limit of five chunks; ten entries are shown whole.
  expect(many.tokens).toBeLessThan(2_600);
  expect(few.tokens).toBeLessThan(some.tokens);
});
