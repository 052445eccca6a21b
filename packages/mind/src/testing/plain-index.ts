import { type MemoryHit, type MemorySource, ProfileFiles } from '@bulkhead/memory';
import type { IndexedText, MemoryIndex } from '../memory/memory-index.ts';

/** Lines of one piece, and most bytes of a text. */
const LINES = 12;
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * A view of memory by words alone, in the process: pieces of a few lines, those with most of the
 * words first. For tests.
 */
export function createPlainIndex(): MemoryIndex {
  const pieces = new Map<
    string,
    { readonly source: MemorySource; readonly content: string; readonly hits: readonly MemoryHit[] }
  >();
  return {
    async sync(texts, { sources }) {
      const paths = new Set(texts.map(({ path }) => path));
      for (const [path, { source }] of pieces)
        if (!paths.has(path) && sources?.includes(source) !== false) pieces.delete(path);
      for (const text of texts) {
        const content = await contentOf(text);
        if (pieces.get(text.path)?.content !== content)
          pieces.set(text.path, { source: text.source, content, hits: piecesOf(text, content) });
      }
    },
    async search(query, { limit, sources }) {
      const words = new Set(wordsOf(query));
      const scored = [...pieces.values()].flatMap(({ hits }) =>
        hits
          .filter(({ source }) => sources?.includes(source) !== false)
          .map((hit) => ({ ...hit, score: wordsOf(hit.text).filter((word) => words.has(word)).length })),
      );
      return scored
        .filter(({ score }) => score > 0)
        .toSorted((a, b) => b.score - a.score)
        .slice(0, limit);
    },
    clear: async () => pieces.clear(),
    [Symbol.asyncDispose]: async () => pieces.clear(),
  };
}

async function contentOf(text: IndexedText): Promise<string> {
  if ('read' in text) return await text.read();
  const files = new ProfileFiles(text.folder, () => '');
  return new TextDecoder().decode(files.read(text.path, MOST_BYTES)?.bytes ?? new Uint8Array());
}

function piecesOf({ source, path }: IndexedText, content: string): readonly MemoryHit[] {
  const lines = content.split(/\r?\n/u);
  const date = /(\d{4})(\d{2})(\d{2})\.md$/u.exec(path)?.slice(1).join('-') ?? '';
  const hits: MemoryHit[] = [];
  let heading = '';
  for (let at = 0; at < lines.length; at += LINES) {
    const piece = lines.slice(at, at + LINES);
    hits.push({
      source,
      path,
      heading,
      date,
      lines: [at + 1, at + piece.length],
      text: piece.join('\n'),
      score: 0,
    });
    heading = piece.findLast((line) => line.startsWith('#'))?.replace(/^#+\s*/u, '') ?? heading;
  }
  return hits;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
}
