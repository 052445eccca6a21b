/** A place that a reader must read twice, or a line that is too long. */
export interface WordProblem {
  readonly path: string;
  readonly line: number;
  readonly problem: string;
}

/** A stretch of prose: a paragraph, a comment or the title of a test. */
interface Prose {
  /** Number of its first line, from 1. */
  readonly line: number;
  readonly text: string;
}

const LONGEST_LINE = 150;

/** Phrases with a plainer form, which the message gives. */
const PHRASES: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\btold\b/gi, 'receives, is notified, knows'],
  [/\bwishes\b/gi, 'options'],
  [/\b(?:an?|the|your|whose|person['’]s)\s+yes\b/gi, 'approval'],
  [/\bof\s+late\b/gi, 'recently'],
  [/\bit\s+is\s+said\b/gi, 'a subject and an active verb'],
  [/\b(?:the|its|a)\s+way\s+back\b/gi, 'undo, restore'],
  [/\bby\s+(?:itself|themselves)\b/gi, 'automatically, separately, alone'],
  [/\bnobody\b/gi, 'no one'],
  [/\b(?:is|are|was|were)\s+there(?=\s*[.,;:)|]|$)/gi, 'exists'],
  [/\bcounts?\s+at\s+once\b/gi, 'takes effect immediately'],
  [/\bfor\s+good\b/gi, 'permanently'],
  [/\bleads?\s+out\s+of\b/gi, 'points outside'],
  [/\bbegins?\s+skills\b/gi, 'create skills'],
  [/\bforetells?\b/gi, 'plan'],
  [/\blikeness\b/gi, 'fingerprint'],
  [/\bwhoever\b/gi, 'the person or program that'],
];

/**
 * Finds headless "What …" sentences, banned phrases, and in pages lines of more than 150 columns.
 *
 * @param path For the report; `.md` is a page, every other file is code, and only its comments and
 *   test titles are checked.
 */
export function findWords(path: string, text: string): readonly WordProblem[] {
  const page = path.endsWith('.md');
  const found = (page ? paragraphs(text) : [...comments(text), ...titles(text)]).flatMap((prose) =>
    [...headless(prose.text), ...banned(prose.text)].map(({ at, problem }) => ({
      path,
      line: prose.line + newlines(prose.text.slice(0, at)),
      problem,
    })),
  );
  return page ? [...found, ...longLines(path, text)] : found;
}

function* headless(text: string): Iterable<{ at: number; problem: string }> {
  for (const { index, 0: sentence } of text.matchAll(/(?:[^.!?:|]|[.:!?](?!\s|$))+[.!?:|]?/g)) {
    const start = /^[\s#>*_|(-]*/.exec(sentence)?.[0].length ?? 0;
    if (/^What\b/.test(sentence.slice(start)) && !/\?\W*$/.test(sentence))
      yield { at: index + start, problem: 'a headless "What …": name the subject' };
  }
}

function banned(text: string): readonly { at: number; problem: string }[] {
  return PHRASES.flatMap(([pattern, instead]) =>
    [...text.matchAll(pattern)].map(({ index, 0: phrase }) => ({
      at: index,
      problem: `"${phrase.replaceAll(/\s+/g, ' ')}": write ${instead}`,
    })),
  );
}

/** Paragraphs, items, table rows and headings of a page, without code and link targets. */
function paragraphs(text: string): readonly Prose[] {
  const bare = text
    .replaceAll(/^ *```.*?^ *```/gms, blank)
    .replaceAll(/`[^`\n]*`/g, blank)
    .replaceAll(/\]\([^)\s]*\)/g, blank);
  return pieces(
    bare,
    /(?:^(?!\s*$| *(?:[-*|#]|\d+\.)).*\n?|^ *(?:[-*|#]|\d+\.).*\n?)(?:^(?!\s*$| *(?:[-*|#]|\d+\.)).*\n?)*/gm,
  );
}

function comments(text: string): readonly Prose[] {
  return pieces(text, /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*(?:\n\s*\/\/.*)*/gm).map(
    ({ line, text: comment }) => ({
      line,
      text: comment
        .replaceAll(/^\s*(?:\/\*\*?|\*\/|\*|\/\/)/gm, blank)
        .replaceAll('*/', '  ')
        .replaceAll(/@\w+/g, '. ')
        .replaceAll(/`[^`\n]*`/g, blank),
    }),
  );
}

/** Titles of tests, starting with a capital like a sentence. */
function titles(text: string): readonly Prose[] {
  const pattern =
    /(?<=^\s*(?:it|test|describe)\b[\w.]*\(\s*|^\s*\]\)\(|^\s*(?:it|test)\.each\(.*\)\()(['"`])(.*?[^\\])\1/gm;
  return pieces(text, pattern).map(({ line, text: title }) => ({
    line,
    text: title.slice(1, 2).toUpperCase() + title.slice(2, -1),
  }));
}

function longLines(path: string, text: string): readonly WordProblem[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      [...line].length > LONGEST_LINE
        ? [{ path, line: index + 1, problem: `${[...line].length} columns, more than ${LONGEST_LINE}` }]
        : [],
    );
}

/**
 * @param found All problems of the checkout.
 * @param limits The committed numbers by folder, or by page; each may only shrink, and a missing
 *   one is 0.
 * @returns The places of each folder over its limit, or the line to write for one below it.
 */
export function wordProblems(
  found: readonly WordProblem[],
  limits: ReadonlyMap<string, number>,
): readonly string[] {
  const groups = Map.groupBy(found, ({ path }) => groupOf(path));
  return [...new Set([...groups.keys(), ...limits.keys()])].toSorted().flatMap((group) => {
    const places = groups.get(group) ?? [];
    const limit = limits.get(group) ?? 0;
    if (places.length < limit)
      return [`only ${places.length} are left of ${limit}: write "${group} ${places.length}"`];
    if (places.length === limit) return [];
    return [
      `${group}: ${places.length}, more than ${limit}:`,
      ...places.map(({ path, line, problem }) => `  ${path}:${line}: ${problem}`),
    ];
  });
}

/** @param text Lines of a folder or page and its number. */
export function parseLimits(text: string): ReadonlyMap<string, number> {
  return new Map(
    text.split('\n').flatMap((line) => {
      const [, group = '', count = ''] = /^(\S+) (\d+)$/.exec(line) ?? [];
      return group === '' ? [] : [[group, Number(count)] as const];
    }),
  );
}

/** A page is its own group; code belongs to its package or top folder. */
function groupOf(path: string): string {
  if (path.endsWith('.md')) return path;
  const parts = path.split('/');
  return parts.slice(0, parts[0] === 'packages' ? 2 : 1).join('/');
}

function pieces(text: string, pattern: RegExp): readonly Prose[] {
  return [...text.matchAll(pattern)].map((match) => ({
    line: newlines(text.slice(0, match.index)) + 1,
    text: match[0],
  }));
}

/** Keeps the positions of all later text. */
function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}

function newlines(text: string): number {
  return text.split('\n').length - 1;
}
