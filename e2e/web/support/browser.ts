import { dirname, join } from 'node:path';
import bundled from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './find-chromium.ts';

/** The browser sends no requests of its own: every request that is seen is the page's. */
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-features=OptimizationHints,MediaRouter,Translate',
  '--disable-sync',
  '--no-first-run',
  '--no-pings',
  '--font-render-hinting=none',
];

/** Starts a Chromium without a window. Its own sandbox can't be had as root. */
export async function launchBrowser(): Promise<Browser> {
  return launch(await findChromium());
}

/**
 * Starts the Chromium that is pinned with the tests, with the fonts that come with it and no others: what it draws is the same on every
 * machine of its kind.
 */
export async function launchPinnedBrowser(): Promise<Browser> {
  const path = await bundled.executablePath();
  return launch(path, { FONTCONFIG_PATH: join(dirname(path), 'fonts') });
}

function launch(executablePath: string, environment: NodeJS.ProcessEnv = {}): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath,
    headless: true,
    args: [...QUIET, ...(isRoot ? ['--no-sandbox'] : [])],
    env: { ...process.env, ...environment },
  });
}
