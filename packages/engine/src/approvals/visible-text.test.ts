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

  it('shows line breaks too where one line is wanted', () => {
    expect(visibleText('a\nb', false)).toBe('a\\u{a}b');
  });
});
