import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type FileText, openMemoryIndex } from '@bulkhead/memory';
import type { Figure } from '../figure.ts';
import { noteText, seeded } from '../memory/synthetic-notes.ts';
import { timed } from '../poll.ts';

const NOTES = 10_000;
const WORDS = 300;
const LIMIT = 60;

/** The cost of indexing ten thousand notes, and of noticing that one has changed. */
export const memoryIndex: Figure = {
  name: 'memory-index',
  async measure({ signal }) {
    const folder = await mkdtemp(join(tmpdir(), 'bulkhead-memory-bench-'));
    try {
      const texts = await writeNotes(folder);
      await using index = openMemoryIndex({ path: join(folder, 'index.db'), onNotice: () => undefined });
      const first = (await timed(() => index.sync(texts, { signal }))) / 1_000;
      // Files this young are read once more: their times don't speak for them yet.
      await timed(() => index.sync(texts, { signal }));
      const unchanged = await timed(() => index.sync(texts, { signal }));
      await appendFile(join(folder, texts[0]?.path ?? ''), '- One more line.\n');
      const changed = await timed(() => index.sync(texts, { signal }));
      const { chunks } = await index.size();
      return [
        {
          what: `indexing ${NOTES.toLocaleString('en')} notes of ${WORDS} words (${chunks} chunks)`,
          product: `${first.toFixed(1)} s; again, nothing changed ${unchanged.toFixed(0)} ms, one changed ${changed.toFixed(0)} ms`,
          bare: 'none',
          ratio: '',
          target: { text: '≤ 60 s', limit: LIMIT, value: first },
        },
      ];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function writeNotes(folder: string): Promise<readonly FileText[]> {
  const texts: FileText[] = [];
  for (let at = 0; at < NOTES; at += 1) {
    const day = new Date(Date.UTC(2000, 0, 1 + at)).toISOString().slice(0, 10).replaceAll('-', '');
    const path = `memory/${day.slice(0, 6)}/${day}.md`;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), noteText(seeded(at + 1), WORDS));
    texts.push({ source: 'daily', path, folder });
  }
  return texts;
}
