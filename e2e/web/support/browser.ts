import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './find-chromium.ts';

/** The browser itself asks nobody anything: every request that is seen is the page's. */
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
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: await findChromium(),
    headless: true,
    args: [...QUIET, ...(isRoot ? ['--no-sandbox'] : [])],
  });
}
