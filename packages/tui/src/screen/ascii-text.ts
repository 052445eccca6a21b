import { visibleWidth } from '../library/first-parts.ts';

/**
 * Replacements in ASCII for our and our library's drawing characters; each has the width of its
 * original.
 */
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
 * Converts output for a terminal without UTF-8, which could read bytes above 127 as control
 * characters. Our own sequences are plain ASCII and stay. A character without a replacement becomes
 * a question mark per column.
 */
export function asciiText(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text;
  let result = '';
  for (const { segment } of segmenter.segment(text)) {
    result += /^[\0-\x7f]+$/.test(segment) ? segment : (LIKE[segment] ?? '?'.repeat(visibleWidth(segment)));
  }
  return result;
}
