import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useSharedStage } from '../support/use-stage.ts';
import { ask } from './support/ask.ts';
import { sampleWorld } from './support/sample-world.ts';
import { useBrowser } from './support/use-browser.ts';
import { openWeb } from './support/web-page.ts';

const stage = useSharedStage();
const browser = useBrowser();

const SECRET = 'sk-ant-canary-4f1d9c7b2a6e8053';

it('says what the machine lacks, which tools there are, and which models can be chosen, without a key in any of it [I3]', async () => {
  await sampleWorld(stage());
  const stored = await stage().cli(['config', 'secret', 'ANTHROPIC_API_KEY', '-'], { stdin: SECRET });
  expect(stored.code).toBe(0);
  await using web = await openWeb(stage(), browser());
  const { page, address } = web;
  const bodies: string[] = [];
  page.on(
    'response',
    (response) =>
      void response.text().then(
        (text) => bodies.push(text),
        () => undefined,
      ),
  );

  await page.goto(`${address}/settings/doctor`);
  await page.getByText(/All checks passed\.|Everything works/).waitFor();
  const policy = page.getByRole('listitem').filter({ hasText: 'policy' });
  await policy.getByText('ok', { exact: true }).waitFor();
  writeFileSync(join(stage().layout.policies, 'default.yaml'), 'version: 1\nrules: nonsense\n');
  await page.getByRole('button', { name: 'Check again' }).click();
  await page.getByText('1 check failed.').waitFor();
  await policy.getByText('wrong').waitFor();
  await policy.getByText('default.yaml').first().waitFor();

  await page.goto(`${address}/tools`);
  await page.getByText(/^\d+ of \d+ tools/).waitFor();
  await page.getByRole('searchbox', { name: 'Search tools' }).fill('shell command');
  await page.getByText(/^1 of \d+ tools/).waitFor();
  await page.locator('summary').focus();
  await page.keyboard.press('Enter');
  await page.getByText('runs a command or code').waitFor();
  await page.getByText('command-with-network').waitFor();

  await page.goto(`${address}/settings/models`);
  await page.getByText('key stored: ANTHROPIC_API_KEY').waitFor();
  await page.getByText('no key: OPENAI_API_KEY').waitFor();
  const table = page.getByRole('table');
  await table.getByText('anthropic/claude-sonnet-5-5').waitFor();
  await expect(table.getByText('openai/gpt-5.5').count()).resolves.toBe(0);
  await page.getByRole('checkbox').check();
  await table.getByText('openai/gpt-5.5', { exact: true }).waitFor();

  await page.goto(`${address}/`);
  await page.getByText('Model', { exact: true }).first().click();
  await page.locator('datalist option[value="anthropic/claude-sonnet-5-5"]').waitFor({ state: 'attached' });
  await expect(page.locator('datalist option[value^="openai/"]').count()).resolves.toBe(0);
  expect(bodies.length).toBeGreaterThan(3);
  expect(bodies.filter((body) => body.includes(SECRET))).toEqual([]);
  expect(web.problems).toEqual([]);
});

it('takes a whole answer back from the page, after it said what would be put back, and again what was undone [I3]', async () => {
  await sampleWorld(stage());
  await using web = await openWeb(stage(), browser());
  const { page } = web;
  const notes = join(stage().folder, 'notes.md');
  const before = readFileSync(notes, 'utf8');
  await ask(page, stage().folder, 'Tidy the release notes');
  await page.getByText('More is in').waitFor();
  const after = readFileSync(notes, 'utf8');
  expect(after).not.toBe(before);
  const dialog = page.getByRole('dialog');

  await page.getByRole('button', { name: 'Undo this answer' }).click();
  await dialog.getByText('notes.md').waitFor();
  await dialog.getByText(stage().folder).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(readFileSync(notes, 'utf8')).toBe(after);

  writeFileSync(notes, 'a person wrote this');
  await page.getByRole('button', { name: 'Undo this answer' }).click();
  await dialog.getByText('1 conflict').waitFor();
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  expect(readFileSync(notes, 'utf8')).toBe('a person wrote this');

  writeFileSync(notes, after);
  await page.getByRole('button', { name: 'Undo this answer' }).click();
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByText('Undone: 1 object restored.').waitFor();
  expect(readFileSync(notes, 'utf8')).toBe(before);
  // The action of the answer is undone with it, also in a page that is loaded again.
  await page.reload();
  const redo = page.getByRole('button', { name: 'Redo' });
  await redo.nth(1).waitFor();
  await redo.last().click();
  await page.getByText('Redone.').waitFor();
  expect(readFileSync(notes, 'utf8')).toBe(after);
  await page.getByRole('button', { name: 'Undo this answer' }).waitFor();
  expect(web.problems).toEqual([]);
});
