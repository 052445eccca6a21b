import { type Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useStage } from '../support/use-stage.ts';
import { launchBrowser } from './support/browser.ts';
import { openWeb } from './support/web-page.ts';

const stage = useStage();
let browser: Browser;
beforeAll(async () => { browser = await launchBrowser(); });
afterAll(() => browser.close());

it('look', async () => {
  stage().write('notes.txt', 'one\ntwo\n');
  await stage().model([
    { thinking: 'The person wants a change.', text: ['I will ', 'edit it. See [docs](https://example.org/x).\n\n```ts\nconst a = 1; // hi\n```\n'], toolCalls: [{ name: 'edit', args: { path: 'notes.txt', old_text: 'two', new_text: 'three' } }] },
    { toolCalls: [{ name: 'bash', args: { command: 'curl https://example.org' } }] },
    { text: 'Done: **three**.' },
  ]);
  await using web = await openWeb(stage(), browser);
  const { page } = web;
  page.on('console', (m) => console.log(m.text()));
  await page.getByLabel('Working folder').fill(stage().folder);
  await page.getByLabel('Message', { exact: true }).last().fill('Change two to three');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(5000);
  await page.screenshot({ path: '/tmp/webt/chat.png' });
  console.log(web.problems, web.requests.length);
  console.log(await page.locator('main').innerText());
  expect(web.problems).toEqual([]);
}, 60000);
