import { shareOf } from '@bulkhead/testkit/sweep';
import type { BrowserContextOptions } from 'playwright-core';
import { expect, it } from 'vitest';
import { useStage } from '../support/use-stage.ts';
import { accessProblems } from './support/access-problems.ts';
import { pagesToShow, prepareSamples } from './support/sample-pages.ts';
import { sampleWorld } from './support/sample-world.ts';
import { structureOf } from './support/structure.ts';
import { useBrowser } from './support/use-browser.ts';
import { loginLink, openWeb } from './support/web-page.ts';

const stage = useStage();
const browser = useBrowser();

/** Pages that list what comes with the product, or what the machine has: their tests are elsewhere. */
const OF_OTHERS: ReadonlySet<string> = new Set(['skills', 'doctor']);

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true },
};

/** In `npm test` the main pages and a share of the others; `npm run proof` looks at all. */
const MAIN: ReadonlySet<string> = new Set(['home', 'chat', 'approval', 'sessions']);
const OTHERS: Readonly<Record<string, number>> = { light: 4, dark: 2, phone: 3 };

it('pages are accessible, fit their width, ask no other host, and are built as they were, in light, dark and on a phone [I3]', {
  timeout: 900_000,
}, async () => {
  await sampleWorld(stage());
  await using first = await openWeb(stage(), browser());
  const samples = await prepareSamples(first.page, stage());
  const problems: string[] = [];
  for (const [look, options] of Object.entries(LOOKS)) {
    await using web = await openWeb(stage(), browser(), options);
    const all = pagesToShow(samples);
    const main = look === 'light' ? all.filter(({ title }) => MAIN.has(title)) : [];
    const others = all.filter((one) => !main.includes(one));
    for (const { title, path, ready } of [...main, ...shareOf(others, OTHERS[look] ?? 0)]) {
      await web.page.goto(web.address + path);
      await ready(web.page);
      // A page that is still loading is not checked.
      await web.page.getByText('Loading…').first().waitFor({ state: 'detached' });
      for (const problem of await accessProblems(web.page)) problems.push(`${title}, ${look}: ${problem}`);
      if (look !== 'dark' && !OF_OTHERS.has(title)) {
        // A question can't be allowed in its first moment.
        await web.page.locator('.approval button:disabled').waitFor({ state: 'detached' });
        await expect(await structureOf(web.page)).toMatchFileSnapshot(`structures/${title}-${look}.yml`);
      }
    }
    expect(web.problems).toEqual([]);
    expect(web.requests.filter((url) => new URL(url).origin !== web.address)).toEqual([]);
  }
  await using context = await browser().newContext();
  const login = await context.newPage();
  await login.goto(new URL(await loginLink(stage())).origin);
  await login.getByRole('heading', { name: 'Log in' }).waitFor();
  expect([...problems, ...(await accessProblems(login))]).toEqual([]);
});
