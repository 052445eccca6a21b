import type { Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { auditSteps } from '../support/audit-steps.ts';
import { until } from '../support/until.ts';
import { useSharedStage } from '../support/use-stage.ts';
import { sentMessages } from '../support/wire-history.ts';
import { ask } from './support/ask.ts';
import { useBrowser } from './support/use-browser.ts';
import { openWeb, type WebPage } from './support/web-page.ts';

const stage = useSharedStage();
const browser = useBrowser();

/** A session that asks whether it may write a file that an editor runs. */
async function asking(): Promise<WebPage & { readonly session: string }> {
  await stage().model([
    {
      toolCalls: [
        { name: 'write', args: { path: '.vscode/tasks.json', content: '{"from": "<b>model</b>"}' } },
      ],
    },
    { text: 'That was it.' },
  ]);
  const web = await openWeb(stage(), browser());
  const session = await ask(web.page, stage().folder, 'Write it');
  await web.page.getByRole('alertdialog').waitFor();
  return { ...web, session };
}

function written(): boolean {
  try {
    return stage().read('.vscode/tasks.json') !== '';
  } catch {
    return false;
  }
}

describe('an approval in a browser', () => {
  it('shows the whole action, is denied by the first key, and nothing was done [A6] [I3]', async () => {
    await using web = await asking();
    const { page } = web;
    const dialog = page.getByRole('alertdialog', { name: 'Allow write?' });
    const whole = await dialog.getByLabel('The whole action').innerText();
    expect(whole).toContain('.vscode/tasks.json');
    expect(whole).toContain('<b>model</b>');
    const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());
    await until('no is what the keyboard is at', async () => (await focused()) === 'Deny');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'write: denied' }).waitFor();
    await page.getByText('That was it.').waitFor();
    expect(written()).toBe(false);
    expect(auditSteps(stage(), web.session)).toContain('DENIED');
    expect(await dialog.count()).toBe(0);
  });

  it('is denied with what to do instead: the agent reads the words in the same run [A6] [I3]', async () => {
    const model = await stage().model([
      { toolCalls: [{ name: 'write', args: { path: '.vscode/tasks.json', content: '{}' } }] },
      { text: 'As you say.' },
    ]);
    await using web = await openWeb(stage(), browser());
    const { page } = web;
    await ask(page, stage().folder, 'Write it');
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('button', { name: 'No, do this instead' }).click();
    await dialog.getByLabel('What the agent should do instead').fill('Only tell me what you would write');
    await page.keyboard.press('Enter');
    await page.getByText('As you say.').waitFor();
    const last = model.requests.findLast(({ format }) => format !== 'models');
    const words = last === undefined ? [] : sentMessages(last).map(({ text }) => text);
    expect(words.at(-1)).toBe('Only tell me what you would write');
    expect(written()).toBe(false);
  });

  it('is seen from any page, and allowed once by a click [A6] [I3]', async () => {
    await using web = await asking();
    const { page } = web;
    await page.getByRole('link', { name: 'Memory' }).click();
    await page.getByRole('heading', { name: 'Memory' }).waitFor();
    expect(await page.title()).toMatch(/^\(1\) /);
    const other = await web.context.newPage();
    await other.goto(`${web.address}/skills`);
    await until('its number in another tab', async () => (await other.title()).startsWith('(1) '));
    await page.getByRole('link', { name: /^Approvals.*1 pending/ }).click();
    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.getByRole('heading', { name: 'No pending approvals' }).waitFor();
    await until('it is written', written);
    expect(await page.title()).not.toContain('(1)');
    await until('the other tab hears of it', async () => !(await other.title()).startsWith('(1)'));
    expect(web.problems).toEqual([]);
  });

  it('in two tabs is answered once: the other tab says so and changes nothing [A6] [FT40]', async () => {
    await using web = await asking();
    const other = await web.context.newPage();
    await other.goto(`${web.address}/approvals`);
    const late = other.getByRole('button', { name: 'Deny' });
    await late.waitFor();
    // The other tab does not hear of the first one's answer before it sends its own.
    await web.context.route('**/api/v1/approvals/*', async (route) => {
      await until('both have answered', () => held.push(route) >= 0);
    });
    const held: Route[] = [];
    await web.page.getByRole('button', { name: 'Allow once' }).click();
    await late.click();
    await until('both have answered', () => held.length === 2);
    // In the same moment: one of both counts, and only the other tab shows a notice.
    await Promise.all(held.map(async (route) => route.fulfill({ response: await route.fetch() })));
    await until('one of both knows', async () => {
      const notice = 'your answer changed nothing';
      const shown = [await web.page.getByText(notice).count(), await other.getByText(notice).count()];
      return shown.reduce((sum, one) => sum + one, 0) === 1;
    });
    await web.page.getByText('That was it.').waitFor();
    const steps = auditSteps(stage(), web.session);
    expect(steps.filter((step) => step === 'APPROVED' || step === 'DENIED')).toHaveLength(1);
    expect(written()).toBe(steps.includes('APPROVED'));
  });

  it('can not be allowed before the whole action is shown, and can be denied at any time [A6]', async () => {
    const content = JSON.stringify({
      tasks: Array.from({ length: 4_000 }, (_, at) => `step ${at}`),
      end: 'of it',
    });
    await stage().model([
      { toolCalls: [{ name: 'write', args: { path: '.vscode/tasks.json', content } }] },
      { text: 'That was it.' },
    ]);
    await using web = await openWeb(stage(), browser());
    const { page } = web;
    const gate = Promise.withResolvers<void>();
    let answers = 0;
    // The first answer is an error, the second a slow one.
    await page.route('**/api/v1/approvals?approvalId=*', async (route) => {
      answers += 1;
      if (answers === 1) return route.abort();
      await gate.promise;
      return route.continue();
    });
    await ask(page, stage().folder, 'Write it');
    const dialog = page.getByRole('alertdialog');
    const allow = dialog.getByRole('button', { name: /llow/ });
    const anyAllowed = async () =>
      (await Promise.all((await allow.all()).map((button) => button.isEnabled()))).some((enabled) => enabled);
    await dialog.getByText('you can only deny it').waitFor();
    const focused = await page.evaluate(() => document.activeElement?.textContent?.trim());
    expect(focused).toBe('Deny');
    await dialog.getByRole('button', { name: 'Read it again' }).click();
    await dialog.getByText('Loading the whole action').waitFor();
    // Longer than a question must stand still.
    await page.waitForTimeout(1_500);
    expect(await anyAllowed()).toBe(false);
    expect(await dialog.getByRole('button', { name: 'Deny' }).isEnabled()).toBe(true);
    expect(await dialog.getByLabel('The whole action').count()).toBe(0);
    gate.resolve();
    await dialog.getByLabel('The whole action').getByText('of it').waitFor();
    await until('it can be allowed', anyAllowed);
    await dialog.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('That was it.').waitFor();
    expect(written()).toBe(false);
  });

  it('that takes the place of another is not allowed by the second click on that one [A6]', async () => {
    const tell = (path: string) => ({ toolCalls: [{ name: 'write', args: { path, content: '{}' } }] });
    await stage().model([tell('.vscode/tasks.json'), tell('.vscode/launch.json'), { text: 'That was it.' }]);
    await using web = await openWeb(stage(), browser());
    const { page } = web;
    await ask(page, stage().folder, 'Write both');
    await page.getByRole('alertdialog').waitFor();
    await page.goto(`${web.address}/approvals`);
    const allow = page.getByRole('button', { name: 'Allow once' });
    await until('it can be allowed', () => allow.isEnabled());
    const { x = 0, y = 0 } = (await allow.boundingBox()) ?? {};
    await page.mouse.click(x + 5, y + 5);
    await page.getByLabel('The whole action').getByText('launch.json').waitFor();
    await page.mouse.click(x + 5, y + 5);
    await until('it can be allowed', () => allow.isEnabled());
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByRole('heading', { name: 'No pending approvals' }).waitFor();
    await until('the first is written', written);
    expect(() => stage().read('.vscode/launch.json')).toThrow();
  });
});
