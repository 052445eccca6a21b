import type { Page } from 'playwright-core';

/** Where one is on a page, and what one can do there. Texts come and go; these stay. */
const LASTING =
  /^\s*- '?(alertdialog|button|checkbox|columnheader|combobox|feed|group|heading|link|list|main|navigation|radio|region|search|searchbox|table|textbox)\b/;

/** What differs from run to run: ids, times, sizes. */
const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/\/tmp\/bulkhead-e2e-\w+/g, 'FOLDER'],
  [/[0-9A-HJKMNP-TV-Z]{26}/g, 'ID'],
  [/(just now|\d+ (min|h|d) ago)/g, 'AGO'],
  [/ \[(active|expanded)\]/g, ''],
  [/\d[\d.,:]*(k|M)?\b/g, 'N'],
];

/** The landmarks, headings and controls of a page as assistive programs read them, each once, in their order. */
export async function structureOf(page: Page): Promise<string> {
  const snapshot = await page.locator('main').ariaSnapshot();
  const lines = snapshot
    .split('\n')
    .filter((line) => LASTING.test(line))
    .map((line) =>
      CHANGING.reduce((left, [pattern, name]) => left.replaceAll(pattern, name), line).replace(/:$/, ''),
    );
  return `${[...new Set(lines)].join('\n')}\n`;
}
