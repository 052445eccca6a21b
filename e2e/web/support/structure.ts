import type { Page } from 'playwright-core';
import { CHANGING_TEXT } from './changing-text.ts';

/** Where one is on a page, and what one can do there. Texts come and go; these stay. */
const LASTING =
  /^\s*- '?(alertdialog|button|checkbox|columnheader|combobox|feed|group|heading|link|list|main|navigation|radio|region|search|searchbox|table|textbox)\b/;

/** The landmarks, headings and controls of a page as assistive programs read them, each once, in their order. */
export async function structureOf(page: Page): Promise<string> {
  const snapshot = await page.locator('main').ariaSnapshot();
  const lines = snapshot
    .split('\n')
    .filter((line) => LASTING.test(line))
    .map((line) =>
      CHANGING_TEXT.reduce((left, [pattern, name]) => left.replaceAll(pattern, name), line).replace(/:$/, ''),
    );
  return `${[...new Set(lines)].join('\n')}\n`;
}
