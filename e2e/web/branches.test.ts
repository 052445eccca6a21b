import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { OFFLINE_TITLES } from '../support/stage.ts';
import { until } from '../support/until.ts';
import { useSharedStage } from '../support/use-stage.ts';
import { sentMessages } from '../support/wire-history.ts';
import { accessProblems } from './support/access-problems.ts';
import { ask } from './support/ask.ts';
import { send, shownTranscript } from './support/send.ts';
import { useBrowser } from './support/use-browser.ts';
import { openWeb } from './support/web-page.ts';

const stage = useSharedStage();
const browser = useBrowser();

/** The answer to a message says which it answers. */
const echo = () =>
  stage().model(
    (request) => ({ text: `to ${sentMessages(request).findLast(({ role }) => role === 'user')?.text}` }),
    { models: OFFLINE_TITLES },
  );

const rowOf = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text });

async function edit(page: Page, from: string, to: string): Promise<void> {
  await rowOf(page, from).first().getByRole('button', { name: 'Edit and send again' }).click();
  const editing = page.getByRole('article').filter({ hasText: 'The conversation continues from here' });
  await editing.getByRole('textbox').fill(to);
  await editing.getByRole('button', { name: 'Send' }).click();
  await page.getByText(`to ${to}`).waitFor();
}

async function openTree(page: Page) {
  await page.getByLabel('Session menu').click();
  await page.getByRole('button', { name: 'Branches and labels' }).click();
  const tree = page.getByRole('dialog', { name: 'Branches' });
  await tree.getByRole('treeitem').first().waitFor();
  return tree;
}

describe('branches of a session in a real browser', () => {
  it('go back and forth at a message that was edited, in every tab, also after a reload [I3]', async () => {
    const model = await echo();
    await using web = await openWeb(stage(), browser());
    const { page } = web;
    const session = await ask(page, stage().folder, 'red');
    await page.getByText('to red').waitFor();
    await send(page, 'rose');
    await page.getByText('to rose').waitFor();
    const other = await web.context.newPage();
    await other.goto(`${web.address}/chat/${session}`);
    await other.getByText('to rose').waitFor();

    await edit(page, 'red', 'blue');
    await page.getByRole('group', { name: 'Branch 2 of 2' }).waitFor();
    await other.getByRole('group', { name: 'Branch 2 of 2' }).waitFor();
    await other.getByText('to rose').waitFor({ state: 'detached' });

    const back = page.getByRole('button', { name: 'Previous branch' });
    expect(await page.getByRole('button', { name: 'Next branch' }).isDisabled()).toBe(true);
    await back.focus();
    await page.keyboard.press('Enter');
    await page.getByText('to rose').waitFor();
    await other.getByText('to rose').waitFor();
    expect(await shownTranscript(page)).not.toContain('blue');
    expect(await shownTranscript(other)).not.toContain('blue');
    // The keyboard stays at the switch, and the branch is whole where it was left.
    await page.getByRole('group', { name: 'Branch 1 of 2' }).waitFor();
    await until('the switch has the keyboard', () =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') === 'Next branch'),
    );
    await page.keyboard.press('ArrowRight');
    await page.getByText('to blue').waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByText('to rose').waitFor();
    await page.reload();
    await page.getByText('to rose').waitFor();
    await page.getByRole('group', { name: 'Branch 1 of 2' }).waitFor();

    await send(other, 'tulip');
    await page.getByText('to tulip').waitFor();
    const sent = sentMessages(model.requests.at(-1) ?? noRequest()).map(({ text }) => text);
    expect(sent).toEqual(['red', 'to red', 'rose', 'to rose', 'tulip']);
    expect(web.problems).toEqual([]);
  });

  it('can’t be changed while an answer is under way, and say so [I3] [T4]', async () => {
    await stage().model(
      [
        { text: 'to red' },
        { text: 'to blue' },
        { text: Array.from({ length: 600 }, (_, at) => `word${at} `), chunkDelayMs: 50 },
      ],
      { atEnd: 'repeat-last' },
    );
    await using web = await openWeb(stage(), browser());
    const { page } = web;
    const session = await ask(page, stage().folder, 'red');
    await page.getByText('to red').waitFor();
    await edit(page, 'red', 'blue');
    await page.getByRole('group', { name: 'Branch 2 of 2' }).waitFor();
    const entry = (await page.evaluate(async (id) => {
      const answer = await fetch(`/api/v1/sessions/${id}/tree`);
      return await answer.json();
    }, session)) as { entries: { entryId: string }[] };
    await send(page, 'go on');
    await page.getByText('word3').waitFor();
    expect(await page.getByRole('button', { name: 'Previous branch' }).isDisabled()).toBe(true);
    const tree = await openTree(page);
    await tree.getByText('when the current answer has ended').waitFor();
    expect(await tree.getByRole('button', { name: /^Go / }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    // A page that has not heard of the run yet asks all the same.
    const refused = await page.evaluate(
      async ({ id, entryId }) => {
        const headers = { 'content-type': 'application/json' };
        const body = JSON.stringify({ entryId });
        const answer = await fetch(`/api/v1/sessions/${id}/move`, { method: 'POST', headers, body });
        return { status: answer.status, text: await answer.text() };
      },
      { id: session, entryId: entry.entries[0]?.entryId ?? '' },
    );
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('Wait until it is idle');
    expect(await shownTranscript(page)).toContain('blue');
  });

  it('are a tree for the keyboard: go to one, name a message, fork, go back [I3]', async () => {
    await echo();
    await using web = await openWeb(stage(), browser());
    const { page } = web;
    const session = await ask(page, stage().folder, 'red');
    await page.getByText('to red').waitFor();
    await send(page, 'rose');
    await page.getByText('to rose').waitFor();
    await edit(page, 'rose', 'rust');
    await page.getByText('2 messages on other branches').click();
    const tree = page.getByRole('dialog', { name: 'Branches' });
    const items = tree.getByRole('treeitem');
    await items.first().waitFor();
    expect((await items.allInnerTexts()).map((text) => text.split(/\s*\n\s*/))).toEqual([
      ['You', 'red'],
      ['Answer', 'to red'],
      ['You', 'rose'],
      ['Answer', 'to rose'],
      ['You', 'rust'],
      ['Answer', 'to rust', 'here'],
    ]);
    expect(await accessProblems(page)).toEqual([]);
    expect(await tree.getByRole('treeitem', { selected: true }).innerText()).toContain('to rust');

    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'l']) await page.keyboard.press(key);
    const label = page.getByRole('dialog', { name: 'Label' });
    await label.getByRole('textbox').fill('the flower');
    await page.keyboard.press('Enter');
    await tree.getByText('the flower').waitFor();
    await page.keyboard.press('Enter');
    await tree.waitFor({ state: 'detached' });
    await page.getByText('to rose').waitFor();
    await rowOf(page, 'to rose').first().getByText('the flower').waitFor({ state: 'detached' });

    // Marked on its message, too, where it is changed and taken away.
    await page.getByRole('button', { name: 'the flower' }).click();
    await label.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'the flower' }).waitFor({ state: 'detached' });
    await rowOf(page, 'to red').first().getByRole('button', { name: 'Label', exact: true }).click();
    await label.getByRole('textbox').fill('begin');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'begin' }).waitFor();

    await openTree(page);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('to rose').waitFor({ state: 'detached' });
    expect(await shownTranscript(page)).toContain('to red');
    await openTree(page);
    await page.keyboard.press('End');
    await page.keyboard.press('f');
    await page.waitForURL((url) => url.pathname.startsWith('/chat/') && !url.pathname.endsWith(session));
    await page.getByText('to rust').waitFor();
    expect(web.problems).toEqual([]);
  });
});

function noRequest(): never {
  throw new Error('the model was asked nothing');
}
