import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loseRecords } from '../support/lose-records.ts';
import { useStage } from '../support/use-stage.ts';
import { useBrowser } from './support/use-browser.ts';
import { openWeb } from './support/web-page.ts';

const stage = useStage();
const browser = useBrowser();

it('shows a session that lost records as read-only, with what is missing and the command, until it is accepted [S4] [I3]', {
  timeout: 900_000,
}, async () => {
  await stage().model(() => ({ text: 'good day' }));
  const session = await loseRecords(stage());
  await using web = await openWeb(stage(), browser());
  const { page } = web;
  await page.goto(`${web.address}/sessions`);
  await page
    .getByRole('link', { name: /read-only/ })
    .first()
    .waitFor();
  await page.goto(`${web.address}/chat/${session}`);
  const lost = page.getByRole('region', { name: 'Lost records' });
  await lost.waitFor();
  expect(await lost.textContent()).toContain('lost its records');
  expect(await lost.textContent()).toContain(`bulkhead sessions accept-loss ${session}`);
  expect(await page.getByRole('textbox', { name: 'Message' }).count()).toBe(0);
  await page.locator('header').getByText('read-only').waitFor();
  const folder = process.env['BULKHEAD_LOOK_AT'];
  if (folder !== undefined) await page.screenshot({ path: join(folder, 'lost-records.png') });
  expect((await stage().cli(['sessions', 'accept-loss', session])).code).toBe(0);
  await lost.getByRole('button', { name: 'Check again' }).click();
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  expect(await lost.count()).toBe(0);
});
