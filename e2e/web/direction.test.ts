import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useSharedStage } from '../support/use-stage.ts';
import { ask } from './support/ask.ts';
import { useBrowser } from './support/use-browser.ts';
import { openWeb } from './support/web-page.ts';

const stage = useSharedStage();
const browser = useBrowser();

describe('characters that turn the reading direction', () => {
  it('do not turn the host that a link shows [I5] [FT47]', async () => {
    const links = [
      '[docs \u202e](https://gro.elpmaxe.test/)',
      'read \u202e this: [docs](https://gro.elpmaxe.test/)',
      '\u202e ![docs](https://gro.elpmaxe.test/)',
      '\u202e [docs](javascript:gro.elpmaxe)',
    ];
    await stage().model([{ text: links.join('\n\n') }]);
    await using web = await openWeb(stage(), browser());
    await ask(web.page, stage().folder, 'Show them');
    await web.page.getByText('gro.elpmaxe').nth(3).waitFor();
    // Where the first and the last letter of each address are drawn.
    const places = await web.page.evaluate(() => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found: { readonly first: number; readonly last: number }[] = [];
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const at = node.textContent?.indexOf('gro.elpmaxe') ?? -1;
        if (at < 0 || node.parentElement?.closest('.markdown') === null) continue;
        const leftOf = (offset: number) => {
          const range = document.createRange();
          range.setStart(node, offset);
          range.setEnd(node, offset + 1);
          return range.getBoundingClientRect().left;
        };
        found.push({ first: leftOf(at), last: leftOf(at + 10) });
      }
      return found;
    });
    expect(places).toHaveLength(4);
    for (const { first, last } of places) expect(first).toBeLessThan(last);
  });

  it('and those that are not seen are codes in names, titles, arguments and diffs [I5] [FT47]', async () => {
    const name = 'invoice\u202efdp.txt';
    const shown = 'invoice\\u{202e}fdp.txt';
    const content = 'pay\u200bpal \u2066to\u2069 ad\u{e0041}min\n';
    await stage().model([
      { toolCalls: [{ name: 'write', args: { path: name, content } }] },
      { toolCalls: [{ name: 'write', args: { path: 'plain.txt', content } }] },
      { text: 'It is written.' },
    ]);
    await using web = await openWeb(stage(), browser());
    const { page } = web;
    await ask(page, stage().folder, 'Write it');
    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.getByText('It is written.').waitFor();
    const card = page.getByRole('region', { name: /^write: done/ });
    // The shield lets no such name pass; that it was tried is shown.
    await page.getByRole('region', { name: 'write: blocked' }).getByText(shown, { exact: true }).waitFor();
    await card.getByText('pay\\u{200b}pal \\u{2066}to\\u{2069} ad\\u{e0041}min').first().waitFor();
    await card.getByRole('button', { expanded: false }).click();
    await page.getByLabel('Session menu').click();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Bills \u202efdp.\u200b');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Bills/ }).waitFor();
    await expectNothingUnseen(page);
    await card.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('dialog').getByText('plain.txt').waitFor();
    await expectNothingUnseen(page);
    for (const path of ['/sessions', '/console/changes', '/console/audit', '/console/security']) {
      await page.goto(web.address + path);
      await page
        .getByText(path === '/sessions' ? 'Bills' : 'write', { exact: path !== '/sessions' })
        .first()
        .waitFor();
      await expectNothingUnseen(page);
    }
  });

  it('nor in files that go with a message, and why one does not [I5] [FT47]', async () => {
    const name = 'invoice\u202efdp.txt';
    await stage().model([{ text: 'It is read.' }]);
    await using web = await openWeb(stage(), browser());
    const { page } = web;
    await page.getByLabel('Working folder').fill(stage().folder);
    await page.locator('input[type=file]').setInputFiles([
      { name, mimeType: 'text/plain', buffer: Buffer.from('pay') },
      { name: `empty ${name}`, mimeType: 'text/plain', buffer: Buffer.from('') },
    ]);
    await page.getByText('is empty').waitFor();
    await page.getByText('invoice\\u{202e}fdp.txt', { exact: true }).waitFor();
    await expectNothingUnseen(page);
    await page.getByRole('textbox', { name: 'Message' }).fill('Read it');
    await page.keyboard.press('Enter');
    await page.getByText('It is read.').waitFor();
    await page.locator('summary').getByText('invoice\\u{202e}fdp.txt').waitFor();
    await expectNothingUnseen(page);
  });
});

/** No text of the page and no name that assistive programs read has a character that is not seen. */
async function expectNothingUnseen(page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const unseen = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\u{e0000}-\u{e007f}]/u;
    const names = [...document.querySelectorAll('[aria-label], [title]')].flatMap((one) => [
      one.getAttribute('aria-label') ?? '',
      one.getAttribute('title') ?? '',
    ]);
    return [document.body.innerText, document.title, ...names].filter((text) => unseen.test(text));
  });
  expect(found).toEqual([]);
}
