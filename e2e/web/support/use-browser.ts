import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launchBrowser } from './browser.ts';

/** One browser for all tests of a file. Each takes contexts of its own, which share nothing. */
export function useBrowser(launch: () => Promise<Browser> = launchBrowser): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
  });
  return () => {
    if (browser === undefined) throw new Error('there is a browser only within a test');
    return browser;
  };
}
