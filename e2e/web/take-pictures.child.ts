/*
 * `npm run pictures`: writes docs/pictures/web anew, a picture of each page in light, dark and phone width. It starts an engine of its
 * own with a scripted model, and ends it.
 */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { Stage } from '../support/stage.ts';
import { launchBrowser } from './support/browser.ts';
import { pagesToShow, prepareSamples } from './support/sample-pages.ts';
import { sampleWorld } from './support/sample-world.ts';
import { loginLink, openWeb } from './support/web-page.ts';

const CHECKOUT = join(import.meta.dirname, '../..');
const FOLDER = join(CHECKOUT, 'docs/pictures/web');

const LOOKS = [
  { name: 'light', options: { colorScheme: 'light' as const } },
  { name: 'dark', options: { colorScheme: 'dark' as const } },
  {
    name: 'phone',
    options: { colorScheme: 'light' as const, viewport: { width: 390, height: 780 }, hasTouch: true },
  },
];

await rm(FOLDER, { recursive: true, force: true });
await mkdir(FOLDER, { recursive: true });
await using stage = new Stage();
await sampleWorld(stage);
const browser = await launchBrowser();
try {
  await using first = await openWeb(stage, browser);
  const samples = await prepareSamples(first.page, stage);
  for (const { name, options } of LOOKS) {
    await using web = await openWeb(stage, browser, options);
    for (const { title, path, ready } of pagesToShow(samples)) {
      await web.page.goto(web.address + path);
      await ready(web.page);
      await web.page.getByText('Loading…').first().waitFor({ state: 'detached' });
      await web.page.evaluate(nameCheckout, CHECKOUT);
      await shoot(web.page, `${title}-${name}`);
    }
  }
  await showLogin(browser);
} finally {
  await browser.close();
}

/** Where this checkout lies says nothing to others. Runs in the page. */
function nameCheckout(checkout: string): void {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
    text.nodeValue = (text.nodeValue ?? '').replaceAll(checkout, '/path/to/bulkhead');
}

async function showLogin(from: Browser): Promise<void> {
  await using context = await from.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(new URL(await loginLink(stage)).origin);
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  await shoot(page, 'login-light');
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled', caret: 'hide' });
  process.stdout.write(`${name}.png\n`);
}
