import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { useSharedStage } from '../support/use-stage.ts';
import { ask } from './support/ask.ts';
import { useBrowser } from './support/use-browser.ts';
import { openWeb } from './support/web-page.ts';

const stage = useSharedStage();
const browser = useBrowser();

/** Every call of this path fails, each in other words, as long as they may be. */
async function failAt(page: Page, path: string): Promise<void> {
  let failures = 0;
  await page.route(path, async (route) => {
    failures += 1;
    const message = `Failure ${failures}: ${'it could not be done because something else was in its way. '.repeat(4)}`;
    await route.fulfill({ status: 500, json: { error: { code: 'internal', message, fix: '' } } });
  });
}

/** Where it is clicked (one button is round), it is what is hit: nothing lies over it. */
async function isFree(control: Locator): Promise<boolean> {
  return control.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const corners = [0.25, 0.5, 0.75].flatMap((x) =>
      [0.25, 0.5, 0.75].map((y) => [left + width * x, top + height * y] as const),
    );
    return corners.every(
      ([x, y]) =>
        element.contains(document.elementFromPoint(x, y)) || element === document.elementFromPoint(x, y),
    );
  });
}

describe.each([
  ['a desk', { width: 1280, height: 800 }],
  ['a phone', { width: 360, height: 640 }],
])('notices on %s', (_name, viewport) => {
  it('cover neither Send nor the answers of a question, and go by the keyboard [I3] [A6]', async () => {
    await stage().model([
      { toolCalls: [{ name: 'write', args: { path: '.vscode/tasks.json', content: '{}' } }] },
      { text: 'That was it.' },
    ]);
    await using web = await openWeb(stage(), browser(), { viewport });
    const { page } = web;
    await ask(page, stage().folder, 'Write it');
    await page.getByRole('alertdialog').waitFor();
    await failAt(page, '**/api/v1/sessions/*/compact');
    const notices = page.locator('[aria-live=polite].toasts');
    for (let count = 1; count <= 4; count += 1) {
      await page.getByLabel('Session menu').click();
      await page.getByRole('button', { name: 'Compact conversation' }).click();
      await notices.getByText(`Failure ${count}:`).waitFor();
    }
    await page.getByRole('textbox', { name: 'Message' }).fill('and then');
    for (const name of ['Deny', 'Allow once', 'Steer']) {
      const button = page.getByRole('button', { name, exact: true });
      await button.scrollIntoViewIfNeeded();
      expect(await isFree(button), name).toBe(true);
    }
    const dismiss = notices.getByRole('button', { name: 'Dismiss' });
    await dismiss.first().focus();
    const before = await dismiss.count();
    await page.keyboard.press('Enter');
    await until('one is gone', async () => (await dismiss.count()) === before - 1);
    await page.keyboard.press('Alt+KeyX');
    await until('all are gone', async () => (await dismiss.count()) === 0);
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('That was it.').waitFor();
  });

  it('are in the dialog while one is open, below its buttons [I3]', async () => {
    await stage().model([{ text: 'Here.' }]);
    await using web = await openWeb(stage(), browser(), { viewport });
    const { page } = web;
    await ask(page, stage().folder, 'Anything');
    await page.getByText('Here.').waitFor();
    await failAt(page, '**/api/v1/sessions/*/title');
    await page.getByLabel('Session menu').click();
    await page.getByRole('button', { name: 'Rename' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rename' });
    const rename = dialog.getByRole('button', { name: 'Rename' });
    await dialog.getByRole('textbox').fill('Another');
    await rename.click();
    // Renaming closes its dialog; what it says then is on the page.
    await page.getByText('Failure 1:').filter({ visible: true }).waitFor();
    await page.getByLabel('Session menu').click();
    await page.getByRole('button', { name: 'Rename' }).click();
    await dialog.getByText('Failure 1:').waitFor();
    expect(await page.getByText('Failure 1:').filter({ visible: true }).count()).toBe(1);
    expect(await isFree(rename)).toBe(true);
    await rename.focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await until('it is gone', async () => (await page.getByText('Failure 1:').count()) === 0);
    expect(await dialog.count()).toBe(1);
  });
});
