import type { Page } from 'playwright-core';

/** Begins a session from the first page. @returns its id */
export async function ask(page: Page, folder: string, words: string): Promise<string> {
  await page.goto(new URL('/', page.url()).href);
  await page.getByLabel('Working folder').fill(folder);
  await page.getByRole('textbox', { name: 'Message' }).fill(words);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/chat\/\w+/);
  return new URL(page.url()).pathname.split('/')[2] ?? '';
}
