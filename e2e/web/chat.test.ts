import type { ScriptedReply } from '@bulkhead/testkit';
import { describe, expect, it } from 'vitest';
import { OFFLINE_TITLES } from '../support/stage.ts';
import { until } from '../support/until.ts';
import { useSharedStage } from '../support/use-stage.ts';
import { waitingCommand } from '../support/waiting-command.ts';
import { sentMessages } from '../support/wire-history.ts';
import { ask } from './support/ask.ts';
import { send, shownTranscript } from './support/send.ts';
import { useBrowser } from './support/use-browser.ts';
import { openWeb } from './support/web-page.ts';

const stage = useSharedStage();
const browser = useBrowser();

const EDIT: ScriptedReply = {
  thinking: 'Two is not three.',
  text: 'I change it.',
  toolCalls: [{ name: 'edit', args: { path: 'notes.txt', old_text: 'two', new_text: 'three' } }],
};

describe('a chat in a real browser', () => {
  it('shows an answer with its thoughts, tools, verdicts and diff, and takes the change back [I3] [U2]', async () => {
    stage().write('notes.txt', 'one\ntwo\n');
    await stage().model([EDIT, { text: 'It says **three** now.' }]);
    await using web = await openWeb(stage(), browser());
    const { page } = web;
    await ask(page, stage().folder, 'Change two to three');
    await page.getByText('It says three now.').waitFor();
    expect(await page.locator('strong', { hasText: 'three' }).count()).toBe(1);
    expect(await page.getByText('Two is not three.').isVisible()).toBe(false);
    await page.getByText('Thoughts').click();
    expect(await page.getByText('Two is not three.').isVisible()).toBe(true);
    const card = page.getByRole('region', { name: 'edit: done' });
    expect(await card.getByRole('region', { name: 'Changes' }).innerText()).toMatch(
      /removed:\s*two[\s\S]*added:\s*three/,
    );
    await card.getByRole('button', { name: /notes\.txt/ }).click();
    await card.getByRole('listitem').filter({ hasText: 'allow' }).first().waitFor();
    expect(stage().read('notes.txt')).toBe('one\nthree\n');

    await card.getByRole('button', { name: 'Undo' }).click();
    const dialog = page.getByRole('dialog', { name: 'Undo' });
    await dialog.getByText('notes.txt').waitFor();
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
    await card.getByText('undone').waitFor();
    expect(stage().read('notes.txt')).toBe('one\ntwo\n');
    await card.getByRole('button', { name: 'Redo' }).click();
    await card.getByRole('button', { name: 'Undo' }).waitFor();
    expect(stage().read('notes.txt')).toBe('one\nthree\n');
    expect(web.problems).toEqual([]);
  });

  it('lets model and mode be chosen in a conversation, too: nothing cuts their menu off [I3]', async () => {
    await stage().model([{ text: 'Hello.' }]);
    await using web = await openWeb(stage(), browser());
    const { page } = web;
    await ask(page, stage().folder, 'Hi');
    await page.getByText('Hello.').waitFor();
    await page.getByLabel('Model and mode').click();
    const isOnTop = (field: SVGElement | HTMLElement) => {
      const { x, y, width, height } = field.getBoundingClientRect();
      return document.elementFromPoint(x + width / 2, y + height / 2) === field;
    };
    expect(await page.getByLabel('Model', { exact: true }).evaluate(isOnTop)).toBe(true);
    const mode = page.getByRole('checkbox', { name: /Dry run/ });
    expect(await mode.evaluate(isOnTop)).toBe(true);
    await page.keyboard.press('Escape');
    await mode.waitFor({ state: 'hidden' });
    await page.getByLabel('Model and mode').click();
    await page.getByText('Hello.').click();
    await mode.waitFor({ state: 'hidden' });
  });

  it('changes the list of sessions from what happens in them, and asks only for one that it does not know [I3]', async () => {
    await stage().model((request) => ({
      text: `to ${sentMessages(request).findLast(({ role }) => role === 'user')?.text}`,
    }));
    await using web = await openWeb(stage(), browser());
    const { page } = web;
    const listed = () => web.requests.filter((address) => /\/sessions\?limit=/.test(address)).length;
    const newest = page
      .getByRole('navigation')
      .getByRole('link', { name: /^(red|blue|green)$/ })
      .first();
    await ask(page, stage().folder, 'red');
    await page.getByText('to red').waitFor();
    await ask(page, stage().folder, 'blue');
    await page.getByText('to blue').waitFor();
    await until('the new one is first', async () => (await newest.innerText()) === 'blue');
    const before = listed();
    await page.getByRole('navigation').getByRole('link', { name: 'red' }).click();
    await page.getByText('to red').waitFor();
    await send(page, 'rose');
    await page.getByText('to rose').waitFor();
    await until('the one at work is first', async () => (await newest.innerText()) === 'red');
    const asked = web.requests.length;
    const branches = () => web.requests.slice(asked).filter((address) => /\/branch(\?|$)/.test(address));
    await send(page, 'ruby');
    await page.getByText('to ruby').waitFor();
    // Of the conversation, too, only what is new is asked for.
    await until('what is new is asked for', () => Promise.resolve(branches().length > 0));
    // The list reads the first words of a session without a title, once.
    expect(branches().filter((address) => !/afterEntryId=\w+/.test(address)).length).toBeLessThanOrEqual(1);
    expect(listed()).toBe(before);

    await stage().cli(['run', 'green']);
    await until('one that began elsewhere is first', async () => (await newest.innerText()) === 'green');
    expect(listed()).toBe(before + 1);
    expect(web.problems).toEqual([]);
  });

  it('sends no command of the terminal to the model, and says why [I3]', async () => {
    const model = await stage().model([{ text: 'Hello.' }]);
    await using web = await openWeb(stage(), browser());
    const { page } = web;
    await ask(page, stage().folder, 'Hi');
    await page.getByText('Hello.').waitFor();
    const field = page.getByRole('textbox', { name: 'Message' });
    await field.fill('/undo');
    await field.press('Enter');
    await page.getByText('There is no template /undo').waitFor();
    expect(await field.inputValue()).toBe('/undo');
    expect(model.requests).toHaveLength(1);
  });

  it('edits a message and sends it again, and forks at any message [I3]', async () => {
    const model = await stage().model(({ bodyText }) => ({
      text: bodyText.includes('Say more')
        ? 'more it is'
        : bodyText.includes('Say blue')
          ? 'blue it is'
          : 'red it is',
    }));
    await using web = await openWeb(stage(), browser());
    const { page } = web;
    const first = await ask(page, stage().folder, 'Say red');
    await page.getByText('red it is').waitFor();
    const own = page.getByRole('article').filter({ hasText: 'Say red' });
    await own.getByRole('button', { name: 'Edit and send again' }).click();
    const editing = page.getByRole('article').filter({ hasText: 'The conversation continues from here' });
    await editing.getByRole('textbox').fill('Say blue');
    await editing.getByRole('button', { name: 'Send' }).click();
    await page.getByText('blue it is').waitFor();
    await page.getByText('2 messages on other branches').waitFor();
    expect(await shownTranscript(page)).not.toContain('red it is');
    expect(JSON.stringify(model.requests.at(-1)?.body)).not.toContain('Say red');

    await page.reload();
    await page.getByText('2 messages on other branches').waitFor();
    expect(await shownTranscript(page)).not.toContain('red it is');
    const answer = page.getByRole('article').filter({ hasText: 'blue it is' });
    await answer.getByRole('button', { name: 'Fork from here' }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/chat/') && !url.pathname.endsWith(first));
    await page.getByText('blue it is').waitFor();
    await send(page, 'Say more');
    await page.getByText('more it is').waitFor();
    await page.goto(`${web.address}/chat/${first}`);
    await page.getByText('blue it is').waitFor();
    expect(await shownTranscript(page)).not.toContain('Say more');
    expect(web.problems).toEqual([]);
  });

  it('steers, lets a message wait and takes it back, and stops an answer [I3] [T5]', async () => {
    await stage().model(
      [
        { toolCalls: [waitingCommand] },
        { text: ['First ', 'answer.'] },
        { text: Array.from({ length: 400 }, (_, at) => `word${at} `), chunkDelayMs: 50 },
      ],
      { atEnd: 'repeat-last' },
    );
    await using web = await openWeb(stage(), browser());
    const { page } = web;
    await ask(page, stage().folder, 'Begin');
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await send(page, 'Be brief');
    await send(page, 'And then more', 'Alt+Enter');
    const waiting = page.getByRole('list', { name: 'Queued messages' });
    await waiting.getByText('And then more').waitFor();
    const more = waiting.getByRole('listitem').filter({ hasText: 'And then more' });
    await more.getByRole('button', { name: 'Withdraw' }).click();
    await more.waitFor({ state: 'detached' });
    stage().write('go', '');
    await page.getByText('First answer.').waitFor();
    // A message before the end of the run would join it.
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
    await send(page, 'Count');
    await page.getByText('word3').waitFor();
    await page.getByRole('textbox', { name: 'Message' }).press('Escape');
    await page.getByText('cancelled').first().waitFor();
    const shown = await shownTranscript(page);
    expect(shown).toContain('Be brief');
    expect(shown).not.toContain('And then more');
  });

  it('goes to the end with a message that is sent from further up, and follows what is answered [I3]', async () => {
    let answers = 0;
    await stage().model(
      () => {
        answers += 1;
        return { text: `${'a line\n\n'.repeat(12 * answers)}answer ${answers} is here` };
      },
      { models: OFFLINE_TITLES },
    );
    await using web = await openWeb(stage(), browser());
    const { page } = web;
    await ask(page, stage().folder, 'message 1');
    for (const at of [1, 2, 3, 4]) {
      await page.getByText(`answer ${at} is here`).waitFor();
      if (at < 4) await send(page, `message ${at + 1}`);
    }
    const frame = page.getByRole('region', { name: 'Conversation' });
    const left = () => frame.evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight);
    for (const up of [700, 1_500]) {
      await frame.hover();
      await page.mouse.wheel(0, -up);
      await until('further up', async () => (await left()) > up / 2);
      const next = answers + 1;
      await send(page, `message ${next}`);
      await page.getByText(`answer ${next} is here`).waitFor();
      await until('at the end', async () => (await left()) < 2);
    }
  });

  it('sends images, refuses what is none and a text of 50 MB with a plain word, and keeps a draft over a reload [I3]', async () => {
    await stage().model(() => ({ text: 'a small picture' }));
    await using web = await openWeb(stage(), browser());
    const { page } = web;
    await ask(page, stage().folder, 'Hello');
    await page.getByText('a small picture').waitFor();
    const image = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      'base64',
    );
    await page.locator('input[type=file]').setInputFiles([
      { name: 'dot.png', mimeType: 'image/png', buffer: image },
      { name: 'tool.exe', mimeType: 'application/octet-stream', buffer: Buffer.from([77, 90, 0, 255]) },
    ]);
    await page.getByText('tool.exe is no text, and no PNG').waitFor();
    await send(page, 'What is it?');
    const own = page.getByRole('article').filter({ hasText: 'What is it?' });
    const width = () =>
      own.getByRole('img').evaluate((one) => ('naturalWidth' in one ? one.naturalWidth : 0));
    await until(
      'the image is drawn',
      async () => (await own.getByRole('img').count()) === 1 && (await width()) === 1,
    );

    const field = page.getByRole('textbox', { name: 'Message' });
    await field.fill('half a thou');
    const pasted = await field.evaluate((one) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'x'.repeat(50_000_000));
      return one.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      );
    });
    expect(pasted).toBe(false);
    await page.getByText('50.0 million characters').waitFor();
    expect(await field.inputValue()).toBe('half a thou');
    await page.reload();
    await until('the draft is back', async () => (await field.inputValue()) === 'half a thou');
    expect(web.problems).toEqual([]);
  });
});
