import { describe, expect, it } from 'vitest';
import { visibleText } from './visible-text.ts';

describe('visibleText', () => {
  it.each([
    ['plain text, ünïcode ✓', 'plain text, ünïcode ✓'],
    ['rm -rf \u202etxt.exe', 'rm -rf \\u{202e}txt.exe'],
    ['a\u200bb\ufeffc', 'a\\u{200b}b\\u{feff}c'],
    ['\u{e0041}', '\\u{e0041}'],
    ['\u001b[2Jgone', '\\u{1b}[2Jgone'],
    ['over\rwritten', 'over\\u{d}written'],
    ['a\nb\tc', 'a\nb\tc'],
  ])('shows what is hidden in %j [A6]', (hidden, shown) => {
    expect(visibleText(hidden)).toBe(shown);
  });

  it.each(['❤️ 👨‍👩‍👧 👍🏽 1️⃣ ⚠️', 'می‌خواهم', 'naïve — “quoted”'])('leaves %j alone', (text) => {
    expect(visibleText(text)).toBe(text);
  });

  it.each([
    ['a\ufe0f', 'a\\u{fe0f}'],
    ['❤\ufe0f\ufe0f', '❤️\\u{fe0f}'],
    ['❤\u200d', '❤\\u{200d}'],
    ['1\ufe0f', '1\\u{fe0f}'],
    ['a\u200cb', 'a\\u{200c}b'],
    ['a\u00a0b', 'a\\u{a0}b'],
  ])('shows in %j what only looks as if it belonged there [A6]', (hidden, shown) => {
    expect(visibleText(hidden)).toBe(shown);
  });

  it('shows line breaks too where one line is wanted', () => {
    expect(visibleText('a\nb', false)).toBe('a\\u{a}b');
  });
});
