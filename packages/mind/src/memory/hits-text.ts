import type { MemoryHit } from '@bulkhead/memory';

/** Most of one answer, characters. */
const MAX_TEXT = 24_000;

/** What was found, for a model: where each piece is from, and its lines. */
export function hitsText(hits: readonly MemoryHit[]): string {
  if (hits.length === 0) return 'Nothing found.';
  let left = MAX_TEXT;
  const shown: string[] = [];
  for (const hit of hits) {
    const text = pieceText(hit).slice(0, left);
    shown.push(text);
    left -= text.length;
    if (left <= 0) break;
  }
  return shown.join('\n\n');
}

function pieceText({ path, heading, date, lines: [first, last], text }: MemoryHit): string {
  // Dated headings, those of past sessions among them, say their day already.
  const day = heading.includes(date) ? '' : date;
  const facts = [`${path}:${first}-${last}`, heading, day].filter((fact) => fact !== '');
  return `[${facts.join(' | ')}]\n${text.trim()}`;
}
