import { expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { useStage } from '../support/use-stage.ts';
import { useBrowser } from './support/use-browser.ts';
import { openWeb } from './support/web-page.ts';

const stage = useStage();
const browser = useBrowser();

const MESSAGES = 10_000;
/** Rows that may be in the page at once: what is seen and some more. */
const MOST_ROWS = 80;

/** Has the page's stream tell of so many messages, without a server: a real session of this length would take an hour to have. */
function playStream({ session, messages }: { readonly session: string; readonly messages: number }): void {
  const eventsOf = (at: number) => {
    const turn = `run-${at}`;
    const text = `answer ${at}\n\n${'- a point of some length, so that rows differ\n'.repeat(at % 7)}`;
    return [
      {
        type: 'message_end',
        role: 'user',
        entry: `entry-${2 * at}`,
        input: `m${at}`,
        text: `question ${at}`,
      },
      { type: 'message_start', role: 'assistant' },
      { type: 'message_end', role: 'assistant', entry: `entry-${2 * at + 1}`, text },
    ].map((body, offset) => {
      const seq = 3 * at + offset + 1;
      return { seq, time: new Date(1_700_000_000_000 + seq).toISOString(), session, turn, ...body };
    });
  };
  class PlayedSocket extends EventTarget {
    readonly readyState = 1;
    constructor() {
      super();
      setTimeout(() => this.dispatchEvent(new Event('open')));
    }
    send(frame: string): void {
      if (!frame.includes(`"watch":"${session}"`)) return;
      for (let at = 0; at < messages / 2; at += 1) {
        for (const event of eventsOf(at))
          this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(event) }));
      }
    }
    close(): void {}
  }
  Object.assign(window, { WebSocket: Object.assign(PlayedSocket, { OPEN: 1 }) });
}

/** The same messages as entries. */
function branchLines(): string {
  const entries = Array.from({ length: MESSAGES }, (_, at) => {
    const message = at % 2 === 0 ? { user: { text: '' } } : { assistant: { parts: [] } };
    const time = new Date(1_700_000_000_000 + 3 * (at >> 1) + 1).toISOString();
    return { entryId: `entry-${at}`, type: 'message_end', time, message };
  });
  return JSON.stringify({ entries });
}

it('a session of 10,000 messages is shown at its end and scrolled to its beginning, with few rows in the page [I3]', {
  timeout: 360_000,
}, async () => {
  await stage().model([]);
  await using web = await openWeb(stage(), browser());
  const { page } = web;
  using client = await stage().client();
  const { sessionId } = await client.call('createSession', { workingFolder: stage().folder });
  await web.context.route(`**/sessions/${sessionId}/branch`, (route) =>
    route.fulfill({ body: branchLines() }),
  );
  await page.addInitScript(playStream, { session: sessionId, messages: MESSAGES });
  await page.goto(`${web.address}/chat/${sessionId}`);
  await page.getByText(`answer ${MESSAGES / 2 - 1}`, { exact: true }).waitFor({ timeout: 60_000 });
  expect(await page.getByRole('article').count()).toBeLessThan(MOST_ROWS);
  expect(await page.getByRole('article').last().getAttribute('aria-setsize')).toBe(String(MESSAGES));
  const frame = page.getByRole('region', { name: 'Conversation' });
  // By halves, and then to the very beginning: wherever it stands, what should be there is.
  for (const part of [0.75, 0.5, 0.25, 0]) {
    await frame.evaluate((one, at) => one.scrollTo(0, one.scrollHeight * at), part);
    await until(`rows fill what is seen at ${part}`, () =>
      frame.evaluate((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        const rows = [...one.querySelectorAll('[role=article]')].map((row) => row.getBoundingClientRect());
        const first = Math.min(...rows.map((row) => row.top));
        const last = Math.max(...rows.map((row) => row.bottom));
        return rows.length > 0 && first <= top + 1 && last >= bottom - 1;
      }),
    );
    expect(await page.getByRole('article').count()).toBeLessThan(MOST_ROWS);
  }
  await until('the beginning is there', async () => {
    await frame.evaluate((one) => one.scrollTo(0, 0));
    return await page.getByText('question 0', { exact: true }).isVisible();
  });
});
