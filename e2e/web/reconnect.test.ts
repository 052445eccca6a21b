import { sweepOf } from '@bulkhead/testkit/sweep';
import { expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { useSharedStage } from '../support/use-stage.ts';
import { ask } from './support/ask.ts';
import { startCuttingProxy } from './support/cutting-proxy.ts';
import { send, shownTranscript } from './support/send.ts';
import { useBrowser } from './support/use-browser.ts';
import { openWeb } from './support/web-page.ts';

const stage = useSharedStage();
const browser = useBrowser();

const ROUNDS = sweepOf(4, 10);
const CUTS = 10 * ROUNDS;

it('a page whose socket is cut again and again in one answer ends with the transcript of a page whose is not [T3] [I3]', {
  timeout: 720_000,
}, async () => {
  const gates = Array.from({ length: ROUNDS }, () => Promise.withResolvers<void>());
  await stage().model(async ({ bodyText }) => {
    const round = bodyText.split('"role":"tool"').length - 1;
    await gates[round]?.promise;
    const text = Array.from({ length: 40 }, (_, at) => `part ${round}.${at} `);
    if (round + 1 >= ROUNDS) return { text: [...text, 'the end'], chunkDelayMs: 5 };
    const toolCalls = [{ name: 'write', args: { path: `file-${round}.txt`, content: `${round}\n` } }];
    return { thinking: `thought ${round}`, text, toolCalls, chunkDelayMs: 5 };
  });
  await using proxy = await startCuttingProxy();
  await using steady = await openWeb(stage(), browser());
  await using shaken = await openWeb(stage(), browser(), {
    proxy: { server: proxy.address, bypass: '<-loopback>' },
  });
  const session = await ask(steady.page, stage().folder, 'Write files');
  await shaken.page.goto(`${steady.address}/chat/${session}`);

  let cuts = 0;
  for (const gate of gates) {
    gate.resolve();
    const enough = cuts + CUTS / ROUNDS;
    while (cuts < enough) cuts += await until('a socket to cut', () => proxy.cut() || undefined);
  }
  for (const { page } of [steady, shaken]) await page.getByText('the end').waitFor({ timeout: 60_000 });
  for (const { page } of [steady, shaken])
    await page.getByText(`${ROUNDS} rounds`).waitFor({ timeout: 30_000 });
  expect(cuts).toBeGreaterThanOrEqual(CUTS);
  // Each at its beginning: the list draws what is looked at.
  const seen = await Promise.all([steady, shaken].map(({ page }) => wholeTranscript(page)));
  expect(seen[1]).toEqual(seen[0]);
  expect(seen[0]?.filter((row) => row.startsWith('write')).length).toBe(ROUNDS - 1);
});

it('a page whose connection was away says that something may be missing, until all of the answer is there [T3] [I3]', async () => {
  const text = Array.from({ length: 40 }, (_, at) => `part ${at} `);
  await stage().model([{ text: [...text, 'the end'], chunkDelayMs: 200 }]);
  await using proxy = await startCuttingProxy();
  await using web = await openWeb(stage(), browser(), {
    proxy: { server: proxy.address, bypass: '<-loopback>' },
  });
  const { page } = web;
  await ask(page, stage().folder, 'Go');
  await page.getByText('part 1').first().waitFor();
  const missed = page.getByText('Some text was missed');
  expect(await missed.count()).toBe(0);
  proxy.cut();
  await missed.waitFor();
  await page.getByText('the end').waitFor();
  await missed.waitFor({ state: 'detached' });
});

it('a message that does not get there, or whose answer is lost, is sent again automatically and taken once [I3] [T2]', async () => {
  await stage().model(({ bodyText }) => ({
    text: bodyText.includes('the second') ? 'Twice asked?' : 'Hello.',
  }));
  await using web = await openWeb(stage(), browser());
  const { page } = web;
  const session = await ask(page, stage().folder, 'Hi');
  await page.getByText('Hello.').waitFor();
  const sent: unknown[] = [];
  await page.route(`**/api/v1/sessions/${session}/messages`, async (route) => {
    sent.push(route.request().postDataJSON());
    if (sent.length === 1) return await route.abort('connectionrefused');
    if (sent.length > 2) return await route.continue();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await send(page, 'the second');
  await until('a third try', () => sent.length === 3 || undefined);
  await page.getByText('Twice asked?').waitFor();
  expect(sent).toEqual([sent[0], sent[0], sent[0]]);
  expect((await shownTranscript(page)).split('the second')).toHaveLength(2);
  using client = await stage().client();
  const runs: string[] = [];
  for await (const { type } of client.stream('watch', { sessionId: session }))
    if (type === 'agent_start') runs.push(type);
  expect(runs).toHaveLength(2);
});

/** Every row, in order, by scrolling from the beginning to the end. */
async function wholeTranscript(page: Parameters<typeof shownTranscript>[0]): Promise<readonly string[]> {
  const rows = new Map<number, string>();
  const frame = page.getByRole('region', { name: 'Conversation' });
  const height = await frame.evaluate((one) => one.scrollHeight);
  for (let top = 0; top <= height; top += 400) {
    await frame.evaluate((one, at) => one.scrollTo(0, at), top);
    await page.waitForTimeout(60);
    const shown = await page
      .getByRole('article')
      .evaluateAll((all) =>
        all.map(
          (one) =>
            [
              Number(one.getAttribute('aria-posinset')),
              one instanceof HTMLElement ? one.innerText : '',
            ] as const,
        ),
      );
    for (const [place, text] of shown) rows.set(place, text);
  }
  return [...rows].toSorted(([one], [other]) => one - other).map(([, text]) => text);
}
