import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Finds the problems that axe reports, and whether the page is wider than its window. */
export async function accessProblems(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const wide = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`),
    ...(wide > 0 ? [`${wide} pixels too wide`] : []),
  ];
}
