/*
 * `node scripts/run.mjs scripts/confusables.ts CONFUSABLES UNICODE_DATA`: writes the table of
 * characters that look like a letter, digit or sign of ASCII, from two files that Unicode
 * publishes: `security/confusables.txt` (UTS #39) and `ucd/UnicodeData.txt`. Run it when Unicode
 * has added characters.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const TARGET = `${import.meta.dirname}/../packages/protocol/src/confusable-characters.ts`;
/** The characters of protected names. */
const SKELETON = /^[a-z0-9._~-]{1,4}$/;
/** Characters that Unicode lists as forms of a Latin letter, but not as confusable. */
const NAMED_LETTER =
  /^(?:LATIN LETTER SMALL CAPITAL|REGIONAL INDICATOR SYMBOL LETTER|NEGATIVE (?:CIRCLED|SQUARED) LATIN CAPITAL LETTER|LATIN SMALL LETTER DOTLESS|LATIN (?:SMALL|CAPITAL) LETTER) ([A-Z])(?: WITH [A-Z ]+)?$/;
/** Shaped like small capitals, or read as a dot in host names. */
const ALSO = ['кk', 'ĸk', 'мm', 'тt', 'вb', 'нh', 'пn', 'κk', 'τt', '。.'].map(
  ([from = '', to = '']) => [from, to] as const,
);

const [confusables, unicodeData] = process.argv.slice(2);
if (confusables === undefined || unicodeData === undefined) throw new Error('give both files');

const table = new Map<string, string>();

function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

function add(from: string, to: string): void {
  const skeleton = plain(to);
  const composed = from.normalize('NFKD') !== from;
  if (!composed && SKELETON.test(skeleton)) table.set(from, skeleton);
}

function fromCodePoints(text: string): string {
  return String.fromCodePoint(
    ...text
      .trim()
      .split(' ')
      .map((digits) => Number.parseInt(digits, 16)),
  );
}

for (const line of readFileSync(unicodeData, 'utf8').split('\n')) {
  const [code, name = ''] = line.split(';');
  const letter = NAMED_LETTER.exec(name)?.[1];
  if (code !== undefined && letter !== undefined) add(fromCodePoints(code), letter);
}
for (const [from, to] of ALSO) add(from, to);
for (const line of readFileSync(confusables, 'utf8').split('\n')) {
  const [from, to] = line.replace(/^\uFEFF|#.*/g, '').split(';');
  if (from !== undefined && to !== undefined) add(fromCodePoints(from), fromCodePoints(to));
}

const rows = new Map<string, string[]>();
for (const [from, to] of [...table].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
  const code = from.codePointAt(0)?.toString(16) ?? '';
  rows.set(to, [...(rows.get(to) ?? []), code]);
}
const lines = [...rows]
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([to, codes]) => `  '${to}': '${codes.join(' ')}',`);
writeFileSync(
  TARGET,
  `/**
 * Code points, in hex, of characters that look like what they stand behind, where compatibility forms, case and marks
 * alone don't tell. Made by scripts/confusables.ts from Unicode's confusables.txt (UTS #39) and UnicodeData.txt,
 * © Unicode, Inc., Unicode License v3.
 */
export const CONFUSABLE_CHARACTERS: Readonly<Record<string, string>> = {
${lines.join('\n')}
};
`,
);
process.stdout.write(`${table.size} characters\n`);
