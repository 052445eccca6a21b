import { sweepsAreWhole } from '@bulkhead/testkit/sweep';
import { describe, expect, it } from 'vitest';
import { OFFLINE_TITLES } from '../support/stage.ts';
import { Talk } from '../support/talk.ts';
import { until } from '../support/until.ts';
import { useSharedStage } from '../support/use-stage.ts';
import { type Canary, startCanary } from './support/canary.ts';
import { expectUnharmed, watchRefusals } from './support/harm.ts';
import { type HostilePayload, hostilePayloads, onePlaceEach } from './support/hostile-payloads.ts';
import { useBrowser } from './support/use-browser.ts';
import { openWeb, type WebPage } from './support/web-page.ts';

const stage = useSharedStage();
const browser = useBrowser();

const IN_ONE_SESSION = 50;
const ROWS_OF_EACH = ['message', 'answer', 'end'];
const ALL_SHOWN_WITHIN_MS = 60_000;

/**
 * Shows every row of a conversation, with all thoughts open, and looks for harm wherever it is. Rows are
 * measured while it scrolls, so it goes to the first row not yet seen, in steps that overlap.
 */
async function lookAtAll(web: WebPage, canary: Canary, payloads: readonly HostilePayload[]): Promise<void> {
  const { page } = web;
  const frame = page.getByRole('region', { name: 'Conversation' });
  const missing = new Map(
    payloads
      .flatMap(({ attempt, place }) => ROWS_OF_EACH.map((row) => `${row} of ${attempt}, ${place}`))
      .map((name, at) => [at + 1, name]),
  );
  await page.locator(`[aria-posinset="${missing.size}"]`).waitFor();
  const end = performance.now() + ALL_SHOWN_WITHIN_MS;
  while (missing.size > 0 && performance.now() < end) {
    const places = await page.getByRole('article').evaluateAll((all) =>
      all.map((one) => {
        for (const thoughts of one.querySelectorAll('details')) thoughts.open = true;
        return Number(one.getAttribute('aria-posinset'));
      }),
    );
    await expectUnharmed(web, canary);
    for (const place of places) missing.delete(place);
    const next = Math.min(...missing.keys());
    await frame.evaluate(
      (one, steps) => {
        one.scrollBy(0, (one.clientHeight / 2) * steps);
        return new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      },
      next < Math.min(...places) ? -1 : 1,
    );
  }
  expect([...missing.values()]).toEqual([]);
}

describe('hostile content', () => {
  it('of 50 kinds, said by model and person, runs nothing and asks no other host [I5] [FT47] [FT48]', {
    timeout: 900_000,
  }, async () => {
    await using canary = await startCanary();
    const all = hostilePayloads(canary.address);
    expect(all).toHaveLength(300);
    const payloads = sweepsAreWhole ? all : onePlaceEach(all);
    expect(new Set(payloads.map(({ attempt }) => attempt)).size).toBe(50);
    expect(new Set(payloads.map(({ place }) => place)).size).toBe(6);
    const said = [...payloads];
    await stage().model(
      () => {
        const text = said.shift()?.text ?? '';
        return { text, thinking: text };
      },
      { models: OFFLINE_TITLES },
    );
    await using web = await openWeb(stage(), browser());
    await watchRefusals(web.page);
    for (let from = 0; from < payloads.length; from += IN_ONE_SESSION) {
      await using talk = await Talk.begin(stage());
      const inSession = payloads.slice(from, from + IN_ONE_SESSION);
      for (const [at, { text }] of inSession.entries()) {
        await talk.send(`m${at}`, { content: text });
        await talk.settledWithin(`m${at}`, 60_000);
      }
      await web.page.goto(`${web.address}/chat/${talk.session}`);
      await lookAtAll(web, canary, inSession);
      expect(new URL(web.page.url()).pathname).toBe(`/chat/${talk.session}`);
    }
  });

  it('in names, files, tools, titles, memory and questions runs nothing and asks no other host [I5] [FT47] [FT48]', {
    timeout: 360_000,
  }, async () => {
    await using canary = await startCanary();
    const evil = `"><img src=${canary.address}/name onerror=window.__ran=1><script>window.__ran=1</script>`;
    const name = evil.replaceAll('/', '');
    stage().write(name, `${evil}\n`);
    await stage().model([
      {
        toolCalls: [
          { name: 'read', args: { path: name } },
          { name: evil, args: { [evil]: evil } },
        ],
      },
      {
        toolCalls: [
          {
            name: 'edit',
            args: { path: name, old_text: 'window', new_text: `![x](${canary.address}/diff)` },
          },
        ],
      },
      { toolCalls: [{ name: 'bash', args: { command: `echo '${evil}'` } }] },
      { toolCalls: [{ name: 'write', args: { path: `.vscode/${name}.json`, content: evil } }] },
      { text: 'over' },
    ]);
    await using talk = await Talk.begin(stage());
    using client = await stage().client();
    await client.call('setTitle', { sessionId: talk.session, title: evil });
    await client.call('addMemory', { text: evil });
    await using web = await openWeb(stage(), browser());
    const { page } = web;
    await watchRefusals(page);
    await page.goto(`${web.address}/chat/${talk.session}`);
    await page.getByRole('textbox', { name: 'Message' }).fill(evil);
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').waitFor();
    await page.locator('section.tool > button').evaluateAll((all) => {
      for (const one of all) if (one instanceof HTMLElement) one.click();
    });
    await page.getByRole('heading', { name: 'judged' }).first().waitFor();
    await expectUnharmed(web, canary);
    for (const path of [
      '/',
      '/sessions',
      '/approvals',
      '/memory?file=MEMORY.md',
      '/console/security',
      '/console/audit',
      '/console/changes',
      '/console/usage',
      '/skills',
      '/settings/folders?folder=%3Cimg%20src%3Dx%20onerror%3Dwindow.__ran%3D1%3E',
      '/%3Cscript%3Ewindow',
      '/chat/%3Cscript%3E',
    ]) {
      await page.goto(web.address + path);
      await page.locator('main').getByRole('heading').first().waitFor();
      await expectUnharmed(web, canary);
    }
    await page.goto(`${web.address}/sessions`);
    await page.getByRole('searchbox').fill('onerror');
    await page.getByRole('heading', { name: /message/ }).waitFor();
    await expectUnharmed(web, canary);
  });

  it('is stopped by the policy of content even where it got into a page [I5] [FT47] [FT48]', async () => {
    await using canary = await startCanary();
    await stage().model([]);
    await using web = await openWeb(stage(), browser());
    const { page } = web;
    await watchRefusals(page);
    await page.goto(web.address);
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    const before = web.requests.length;
    await page.evaluate((host) => {
      const hole = document.createElement('div');
      hole.innerHTML = `<img src="${host}/img" onerror="window.__ran=1"><iframe src="${host}/frame"></iframe><link rel="stylesheet" href="${host}/css"><p style="background:url(${host}/style)">x</p><object data="${host}/object"></object>`;
      document.body.append(hole);
      const inline = document.createElement('script');
      inline.textContent = 'window.__ran = 1';
      const foreign = document.createElement('script');
      foreign.src = `${host}/script`;
      document.head.append(inline, foreign);
      fetch(`${host}/fetch`).catch(() => undefined);
      navigator.sendBeacon(`${host}/beacon`);
    }, canary.address);
    const refused = await until('all of it is refused', async () => {
      const list = await page.evaluate(() => window.__refused ?? []);
      const kinds = new Set(list.map((one) => one.split(' ')[0]));
      return (
        ['img-src', 'frame-src', 'style-src-elem', 'object-src', 'script-src-elem', 'connect-src'].every(
          (kind) => kinds.has(kind),
        ) && list
      );
    });
    expect(refused.length).toBeGreaterThan(6);
    expect(await page.evaluate(() => window.__ran)).toBeUndefined();
    expect(canary.asked).toEqual([]);
    expect(web.requests.length).toBeGreaterThanOrEqual(before);
  });
});
