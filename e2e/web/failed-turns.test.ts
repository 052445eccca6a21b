import type { ScriptedReply } from '@bulkhead/testkit';
import { describe, expect, it } from 'vitest';
import { useSharedStage } from '../support/use-stage.ts';
import { sentMessages } from '../support/wire-history.ts';
import { ask } from './support/ask.ts';
import { shownTranscript } from './support/send.ts';
import { useBrowser } from './support/use-browser.ts';
import { openWeb } from './support/web-page.ts';

const stage = useSharedStage();
const browser = useBrowser();

const WRONG_KEY: ScriptedReply = {
  error: { status: 401, body: { error: { type: 'authentication_error', message: 'who are you' } } },
};
const CUT: ScriptedReply = { text: ['half', ' an', ' answer'], cut: { afterChunks: 2 } };

describe('a failed answer in the browser', () => {
  it.each<[string, ScriptedReply, RegExp]>([
    ['the first message with a wrong key', WRONG_KEY, /failed: .*401/],
    ['a stream that breaks off', CUT, /failed: /],
  ])('stays after %s, also after a reload, and can be tried again [I3]', async (_what, reply, note) => {
    const model = await stage().model([reply, { text: 'well again' }], { retry: '{ enabled: false }' });
    await using web = await openWeb(stage(), browser());
    const { page } = web;
    await ask(page, stage().folder, 'a question');
    await page.getByText(note).waitFor();
    // The page reads the branch once the session is at rest: the failed turn must survive that.
    await page.waitForLoadState('networkidle');
    expect(await shownTranscript(page)).toMatch(/a question/);
    expect(await shownTranscript(page)).toMatch(note);
    await page.reload();
    await page.getByText(note).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await shownTranscript(page)).toMatch(/a question/);

    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('well again').waitFor();
    const [, again] = model.requests.filter(({ format }) => format !== 'models');
    const asked = again === undefined ? [] : sentMessages(again).filter(({ role }) => role === 'user');
    expect(asked.map(({ text }) => text)).toEqual(['a question']);
    expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0);
  });
});
