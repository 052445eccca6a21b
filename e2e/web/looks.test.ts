import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sweepsAreWhole } from '@bulkhead/testkit/sweep';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useStage } from '../support/use-stage.ts';
import { launchPinnedBrowser } from './support/browser.ts';
import { differenceOf, lookOf } from './support/look.ts';
import { pagesToShow, prepareSamples } from './support/sample-pages.ts';
import { sampleWorld } from './support/sample-world.ts';
import { useBrowser } from './support/use-browser.ts';
import { openWeb } from './support/web-page.ts';

/*
 * Pictures of the main pages, compared by pixels. Only the browser and the fonts that are pinned with the tests draw them, so that they
 * are alike on every machine; both come for x64 alone.
 */
const stage = useStage();
const FOLDER = join(import.meta.dirname, 'looks');
const MAIN: ReadonlySet<string> = new Set(['home', 'chat', 'approval', 'sessions', 'memory']);
/** Part of the pixels that may differ: edges of letters, drawn by another processor. */
const TOLERANCE = 0.002;
const WRITE = process.env['BULKHEAD_LOOKS'] === 'write';
const HOW = 'look at the page, then: BULKHEAD_LOOKS=write npx vitest run --project e2e e2e/web/looks.test.ts';

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 780 } },
};

const isPinned = process.arch === 'x64';
const browser = isPinned ? useBrowser(launchPinnedBrowser) : undefined;

it.skipIf(!isPinned)(
  'main pages look as they did, light, dark and on a phone (skipped where no browser is pinned) [I3]',
  { timeout: 300_000 },
  async () => {
    if (browser === undefined) throw new Error('no browser');
    await sampleWorld(stage());
    await using first = await openWeb(stage(), browser(), { reducedMotion: 'reduce' });
    const samples = await prepareSamples(first.page, stage());
    await using blank = await browser().newContext();
    const desk = await blank.newPage();
    const problems: string[] = [];
    for (const [at, [look, options]] of Object.entries(LOOKS).entries()) {
      await using web = await openWeb(stage(), browser(), { ...options, reducedMotion: 'reduce' });
      const main = pagesToShow(samples).filter((one) => MAIN.has(one.title));
      for (const { title, path, ready } of WRITE || sweepsAreWhole ? main : main.slice(at, at + 1)) {
        await web.page.goto(web.address + path);
        await ready(web.page);
        // A question can't be allowed in its first moment.
        await web.page.locator('.approval button:disabled').waitFor({ state: 'detached' });
        const problem = await compared(desk, `${title}-${look}.png`, await lookOf(web.page));
        if (problem !== undefined) problems.push(problem);
      }
    }
    expect(problems).toEqual([]);
  },
);

/** @returns what is wrong */
async function compared(desk: Page, name: string, now: Buffer): Promise<string | undefined> {
  const file = join(FOLDER, name);
  if (WRITE) writeFileSync(file, now);
  if (!existsSync(file)) return `there is no picture ${name} to compare with: ${HOW}`;
  const difference = await differenceOf(desk, readFileSync(file), now);
  if (difference <= TOLERANCE) return undefined;
  const drawn = join(mkdtempSync(join(tmpdir(), 'bulkhead-look-')), name);
  writeFileSync(drawn, now);
  return `${name} differs in ${(difference * 100).toFixed(2)} % of its pixels; it is now as in ${drawn}. If that is meant, ${HOW}`;
}
