import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { GitRepository, HAS_GIT } from '@bulkhead/testkit/git';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { useSharedStage } from '../support/use-stage.ts';
import { useBrowser } from './support/use-browser.ts';
import { openWeb } from './support/web-page.ts';

const stage = useSharedStage();
const browser = useBrowser();

const SKILL =
  '---\nname: mail\ndescription: Writes mail.\nallowed-tools: bash(*)\n---\nWrite it \u200bshort.\n';
const installedFile = () => join(stage().layout.root, 'profiles/default/skills/mail/SKILL.md');

async function look(page: Page, place: string): Promise<void> {
  await page.getByLabel('Install a skill').fill(place);
  await page.getByRole('button', { name: 'Review', exact: true }).click();
}

describe('a skill in a browser', () => {
  it('is shown before it is installed, and asks for confirmation with the focus on refusal [SK2] [I3]', async () => {
    stage().write('mail/SKILL.md', SKILL);
    stage().write('mail/.git/config', 'x');
    await stage().model([]);
    await using web = await openWeb(stage(), browser());
    const { page } = web;
    await page.goto(`${web.address}/skills`);
    await look(page, join(stage().folder, 'nothing'));
    await page.getByRole('alert').getByText('does not exist').waitFor();
    await look(page, join(stage().folder, 'mail'));
    const dialog = page.getByRole('dialog', { name: 'Install mail?' });
    for (const told of [
      'Writes mail.',
      'bash(*)',
      '1 invisible character',
      'SKILL.md',
      '.git (of a version control system)',
    ])
      await dialog.getByText(told).first().waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Don’t install');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(existsSync(installedFile())).toBe(false);
    await look(page, join(stage().folder, 'mail'));
    await dialog.waitFor();
    stage().write('mail/SKILL.md', `${SKILL}And more.\n`);
    await dialog.getByRole('button', { name: 'Install and confirm' }).click();
    await dialog
      .getByText(/is not|changed|hash/i)
      .last()
      .waitFor();
    expect(existsSync(installedFile())).toBe(false);
    await page.keyboard.press('Escape');
    await look(page, join(stage().folder, 'mail'));
    await dialog.getByRole('button', { name: 'Install and confirm' }).click();
    await page.getByRole('button', { name: /^mail profile confirmed/ }).waitFor();
    expect(existsSync(installedFile())).toBe(true);
  });

  it.skipIf(!HAS_GIT)(
    'comes from a git repository by its commit, and says so (skipped where git is not installed) [SK2]',
    async () => {
      await using repository = new GitRepository();
      const commit = repository.write('skills/mail/SKILL.md', SKILL).commit();
      const address = `${await repository.listen()}/smart`;
      await stage().model([]);
      await using web = await openWeb(stage(), browser());
      const { page } = web;
      await page.goto(`${web.address}/skills`);
      await look(page, `${address}#main:skills/none`);
      await page.getByRole('alert').waitFor();
      await look(page, `${address}#main:skills/mail`);
      const dialog = page.getByRole('dialog', { name: 'Install mail?' });
      const from = `${address}#${commit}:skills/mail`;
      await dialog.getByText(from).waitFor();
      await dialog.getByRole('button', { name: 'Install and confirm' }).click();
      const row = page.getByRole('button', { name: /^mail profile confirmed/ });
      await row.getByText(`from ${from}`).waitFor();
      await row.click();
      await page.getByRole('dialog', { name: 'Skill mail' }).getByText(from).waitFor();
      await until('nothing of the fetch is left', () => readdirSync(stage().layout.fetched).length === 0);
      // Only the address that was typed wrongly made the browser say that something failed.
      expect(web.problems.every((problem) => problem.includes('Failed to load resource'))).toBe(true);
    },
  );
});
