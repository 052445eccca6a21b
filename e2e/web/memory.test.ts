import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useStage } from '../support/use-stage.ts';
import { accessProblems } from './support/access-problems.ts';
import { useBrowser } from './support/use-browser.ts';
import { openWeb } from './support/web-page.ts';

const stage = useStage();
const browser = useBrowser();

it('edits a file of memory and a note of a day, overwrites no other change, and takes it back [I3] [M4]', async () => {
  await using web = await openWeb(stage(), browser());
  const { page } = web;
  const profile = join(stage().layout.root, 'profiles/default');
  const memory = join(profile, 'MEMORY.md');
  writeFileSync(memory, '# Memory\n\n- Tea at four.\n');
  mkdirSync(join(profile, 'memory/202611'), { recursive: true });
  const note = join(profile, 'memory/202611/20261121.md');
  writeFileSync(note, '# 2026-11-21\n\n- Rain.\n');
  const open = async (path: string) => {
    await page.goto(`${web.address}/memory?file=${encodeURIComponent(path)}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    return page.getByRole('textbox', { name: `Text of ${path}` });
  };

  const text = await open('MEMORY.md');
  expect(await text.inputValue()).toBe('# Memory\n\n- Tea at four.\n');
  expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  expect(await accessProblems(page)).toEqual([]);
  await text.fill('# Memory\n\n- Coffee at five.\n');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Coffee at five.').waitFor();
  expect(readFileSync(memory, 'utf8')).toBe('# Memory\n\n- Coffee at five.\n');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByText('Tea at four.').waitFor();
  expect(readFileSync(memory, 'utf8')).toBe('# Memory\n\n- Tea at four.\n');

  const day = await open('memory/202611/20261121.md');
  writeFileSync(note, '# 2026-11-21\n\n- Sun, by another editor.\n');
  await day.fill('# 2026-11-21\n\n- Snow.\n');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/changed since it was looked at/).waitFor();
  expect(await day.inputValue()).toContain('Snow.');
  expect(readFileSync(note, 'utf8')).toContain('Sun, by another editor.');
  const audit = await stage().cli(['audit', 'list', '--json']);
  expect(audit.stdout).toContain('MEMORY.md');
  expect(web.problems.filter((problem) => !problem.includes('Failed to load resource'))).toEqual([]);
});
