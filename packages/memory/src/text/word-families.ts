import { EQUALS } from './equals.ts';
import { KINDS } from './kinds.ts';
import { SYNONYMS } from './synonyms.ts';
import { term } from './terms.ts';

/** Related words. */
export interface WordFamilies {
  /**
   * Terms in a note that match this question term, with their nearness; without the term itself.
   */
  relatives(term: string): ReadonlyMap<string, Nearness>;
}

/**
 * `equal`: the same meaning; `synonym`: used interchangeably; `kind`: the question's term names a
 * kind of this. The nearest counts.
 */
type Nearness = 'equal' | 'synonym' | 'kind';

let built: WordFamilies | undefined;

/** Built once from {@link EQUALS}, {@link SYNONYMS} and {@link KINDS}, on first use. */
export function wordFamilies(): WordFamilies {
  built ??= buildFamilies();
  return built;
}

function buildFamilies(): WordFamilies {
  const table = new Map<string, Map<string, Nearness>>();
  for (const row of rows(EQUALS)) for (const asked of row) relate(table, asked, row, 'equal');
  for (const row of rows(SYNONYMS)) for (const asked of row) relate(table, asked, row, 'synonym');
  for (const line of KINDS.trim().split('\n')) {
    const [heads = '', members = ''] = line.split(':');
    for (const head of termsOf(heads)) relate(table, head, termsOf(members), 'kind');
  }
  return { relatives: (asked) => table.get(asked) ?? NONE };
}

const NONE: ReadonlyMap<string, Nearness> = new Map();

function relate(
  table: Map<string, Map<string, Nearness>>,
  asked: string,
  found: readonly string[],
  nearness: Nearness,
): void {
  const relatives = table.get(asked) ?? new Map<string, Nearness>();
  for (const one of found) if (one !== asked && !relatives.has(one)) relatives.set(one, nearness);
  table.set(asked, relatives);
}

function rows(table: string): readonly (readonly string[])[] {
  return table.trim().split('\n').map(termsOf);
}

function termsOf(row: string): readonly string[] {
  return row.trim().split(/\s+/u).map(term);
}
