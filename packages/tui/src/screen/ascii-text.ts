import { visibleWidth } from '../library/first-parts.ts';

/** What we and our library draw with, in characters that every terminal has; each as wide as what it stands for. */
const LIKE: Readonly<Record<string, string>> = {
  '─': '-',
  '│': '|',
  '└': '`',
  '┌': '+',
  '┐': '+',
  '┘': '+',
  '├': '+',
  '┤': '+',
  '┬': '+',
  '┴': '+',
  '┼': '+',
  '▸': '>',
  '▾': 'v',
  '›': '>',
  '→': '>',
  '←': '<',
  '↑': '^',
  '↓': 'v',
  '↳': '>',
  '•': '*',
  '·': '-',
  '●': '*',
  '○': 'o',
  '✓': '+',
  '✗': 'x',
  '⊘': 'x',
  '…': '.',
  '█': '#',
  '░': '.',
  '–': '-',
  '—': '-',
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
};

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * What a terminal without UTF-8 is given: of bytes above 127 it could take some for control characters. Our own sequences are plain
 * ASCII and stay. What has no likeness is a question mark for each column.
 */
export function asciiText(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text;
  let result = '';
  for (const { segment } of segmenter.segment(text)) {
    result += /^[\0-\x7f]+$/.test(segment) ? segment : (LIKE[segment] ?? '?'.repeat(visibleWidth(segment)));
  }
  return result;
}
