import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { useStage } from '../support/use-stage.ts';
import { ask } from './support/ask.ts';
import { sampleWorld } from './support/sample-world.ts';
import { useBrowser } from './support/use-browser.ts';
import { openWeb } from './support/web-page.ts';

const stage = useStage();
const browser = useBrowser();

const VERIFIER = fileURLToPath(new URL('../../dist/audit-verify.mjs', import.meta.url));

it('verifies the audit log, gives a proof that stands alone, and shows context, changes and memory that can be taken back [I3] [C7]', async () => {
  await sampleWorld(stage());
  await using web = await openWeb(stage(), browser());
  const { page } = web;
  const session = await ask(page, stage().folder, 'Tidy the release notes');
  await page.getByText('More is in').waitFor();

  await page.goto(`${web.address}/console/audit`);
  await page.getByRole('button', { name: 'Verify the log' }).click();
  await page.getByText(/All \d+ entries are unchanged/).waitFor();
  const row = page.getByRole('row').filter({ hasText: 'edit' }).filter({ hasText: 'executed' });
  const saving = page.waitForEvent('download');
  await row.getByRole('button', { name: 'Proof' }).click();
  const proof = join(stage().userHome, 'proof.json');
  await (await saving).saveAs(proof);
  expect(JSON.parse(readFileSync(proof, 'utf8'))).toMatchObject({ proves: 'action' });
  expect(String(execFileSync(process.execPath, [VERIFIER, '--proof', proof]))).toContain('ok');

  await page.goto(`${web.address}/chat/${session}/context`);
  await page.getByRole('heading', { name: /^Conversation \d+ tokens/ }).waitFor();
  const told = await page.getByText('The last request:').innerText();
  expect(told.replaceAll(/\s+/g, ' ')).toMatch(/[\d.]+k in, of which 3\.1k were cached and [\d.]+k fresh/);

  await page.goto(`${web.address}/console/changes`);
  await page.getByRole('button', { name: /edit.*notes\.md/ }).click();
  await page
    .getByRole('region', { name: 'Changes' })
    .getByText('- starts in 180 ms instead of 420')
    .waitFor();

  await page.goto(`${web.address}/memory`);
  await page.getByLabel('Remember something').fill('Tea at four.');
  await page.getByRole('button', { name: 'Remember' }).click();
  await page.getByRole('link', { name: /MEMORY\.md/ }).waitFor();
  const memory = join(stage().layout.root, 'profiles/default/MEMORY.md');
  expect(readFileSync(memory, 'utf8')).toContain('Tea at four.');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByText('Undone: 1 object restored.').waitFor();
  expect(() => readFileSync(memory)).toThrow('ENOENT');
  expect(web.problems).toEqual([]);
});
