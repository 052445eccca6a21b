import type { Page } from 'playwright-core';

/** What differs from run to run: folders, ids, times, ports, processes, sizes. */
const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/\/tmp\/bulkhead-e2e-\w+/g, 'FOLDER'],
  [/[0-9A-HJKMNP-TV-Z]{26}/g, 'ID'],
  [/\b[0-9a-f]{12}…/g, 'HASH'],
  [/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, 'UUID'],
  [/\d{1,2}:\d{2}(:\d{2})?/g, 'TIME'],
  [/\d{4}-\d{2}-\d{2}/g, 'DAY'],
  [/(just now|\d+ (min|h|d) ago)/g, 'AGO'],
  [/127\.0\.0\.1:\d+/g, 'ADDRESS'],
  [/(engine|agent|worker|command) \d+/g, '$1 PID'],
  [/\d[\d.,]*(k|M)?/g, 'N'],
];

/** A page as assistive programs read it, without what changes from run to run. */
export async function structureOf(page: Page): Promise<string> {
  const snapshot = await page.locator('main').ariaSnapshot();
  const text = CHANGING.reduce((left, [pattern, name]) => left.replaceAll(pattern, name), snapshot);
  return `${text.replaceAll(/(, (agent|worker|command) PID)+/g, ', PROCESSES')}\n`;
}
