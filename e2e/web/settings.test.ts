import { existsSync, readFileSync } from 'node:fs';
import type { ScriptedModelServer } from '@bulkhead/testkit';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useStage } from '../support/use-stage.ts';
import { ask } from './support/ask.ts';
import { useBrowser } from './support/use-browser.ts';
import { openWeb } from './support/web-page.ts';

const stage = useStage();
const browser = useBrowser();

const KEY = 'typed-in-a-browser-Zq8vK2mN4xR7';

/** Whose server takes this one key. */
function serve(): Promise<ScriptedModelServer> {
  return stage().serve(({ headers }) =>
    headers['authorization'] === `Bearer ${KEY}`
      ? { text: 'ready' }
      : { error: { status: 401, message: 'Incorrect API key provided' } },
  );
}

async function fill(page: Page, address: string, key: string): Promise<void> {
  await page.getByLabel('openai-compatible').check();
  await page.getByLabel('Address').fill(address);
  await page.getByLabel('Key').fill(key);
  await page.getByRole('textbox', { name: 'Model' }).fill('m');
}

describe('the set-up of a model in a browser', () => {
  it('is offered while only the offline model answers, tests the connection, and answers from then on without a restart [I3] [I1]', async () => {
    const server = await serve();
    await using web = await openWeb(stage(), browser());
    const { page } = web;
    await page.getByRole('link', { name: 'Set up a model' }).click();
    await fill(page, `${server.url}/v1`, 'wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Incorrect API key' }).waitFor();
    expect(existsSync(stage().layout.secrets)).toBe(false);
    await page.getByLabel('Key').fill(KEY);
    await page.keyboard.press('Enter');
    await page.getByText('openai-compatible/m answered after').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('answers from now on').waitFor();
    expect(await page.getByLabel('Key').inputValue()).toBe('');
    expect(readFileSync(stage().layout.secrets, 'utf8')).toContain(KEY);
    await ask(page, stage().folder, 'hello');
    await page.getByText('ready').first().waitFor();
    expect(await page.getByRole('link', { name: 'Set up a model' }).count()).toBe(0);
    expect(web.problems).toEqual([]);
  });
});
