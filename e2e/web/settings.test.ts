import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { ScriptedModelServer } from '@bulkhead/testkit';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { auditSteps } from '../support/audit-steps.ts';
import { foundIn } from '../support/home-bytes.ts';
import { until } from '../support/until.ts';
import { useStage } from '../support/use-stage.ts';
import { ask } from './support/ask.ts';
import { useBrowser } from './support/use-browser.ts';
import { openWeb, type WebPage } from './support/web-page.ts';

const stage = useStage();
const browser = useBrowser();

const KEY = 'typed-in-a-browser-Zq8vK2mN4xR7';
const WRONG = 'typed-in-a-browser-and-wrong-Jd5tW';

/** Whose server takes this one key, and repeats one that it does not take. */
function serve(): Promise<ScriptedModelServer> {
  return stage().serve(({ headers }) => {
    const sent = headers['authorization'] ?? '';
    return sent === `Bearer ${KEY}`
      ? { text: 'ready' }
      : { error: { status: 401, message: `Incorrect API key provided: ${sent}` } };
  });
}

/** Collects the engine's answers to the page, from now on. */
function answersTo(page: Page): Promise<string>[] {
  const answers: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/api/')) answers.push(response.text().catch(() => ''));
  });
  return answers;
}

/** As one of the page's own scripts asks. */
function send(
  page: Page,
  method: 'PUT' | 'POST',
  path: string,
  body: unknown,
): Promise<{ status: number; text: string }> {
  return page.evaluate(
    async ([verb, where, json]) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(where, { method: verb, headers, body: json });
      return { status: response.status, text: await response.text() };
    },
    [method, `/api/v1${path}`, JSON.stringify(body)] as const,
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('the set-up of a model in a browser', () => {
  it('is offered while only the offline model answers, tests the connection by keys alone, and answers without a restart [I3]', async () => {
    const server = await serve();
    await using web = await openWeb(stage(), browser());
    const { page } = web;
    const answers = answersTo(page);
    await page.getByRole('link', { name: 'Set up a model' }).press('Enter');
    await page.getByRole('radio', { name: 'anthropic' }).waitFor();
    await page.getByRole('radio', { name: 'openai-compatible' }).press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.type(`${server.url}/v1`);
    await page.keyboard.press('Tab');
    await page.keyboard.type(WRONG);
    await page.keyboard.press('Tab');
    await page.keyboard.type('m');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Incorrect API key provided' }).waitFor();
    expect(existsSync(stage().layout.secrets)).toBe(false);
    await page.getByLabel('Key').fill(KEY);
    await page.keyboard.press('Enter');
    await page.getByText('openai-compatible/m answered after').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('answers from now on').waitFor();
    expect(await page.getByLabel('Key').inputValue()).toBe('');
    await ask(page, stage().folder, 'hello');
    await page.getByText('ready').first().waitFor();
    expect(await page.getByRole('link', { name: 'Set up a model' }).count()).toBe(0);
    expect(web.problems).toEqual([]);
    expect(auditSteps(stage(), '')).toContain('SETTINGS_CHANGED');
    // The keys: one file, and nowhere else, not even where a server repeated one.
    const told = (await Promise.all(answers)).join('\n');
    expect([told.includes(KEY), told.includes(WRONG)]).toEqual([false, false]);
    expect(readFileSync(stage().layout.secrets, 'utf8')).toContain(KEY);
    expect(foundIn(stage().layout.root, [KEY, WRONG])).toEqual([`${KEY} in secrets.json`]);
  });

  it('says of a key that is missing where to type it, also on a phone, whose tabs show the page that is open [I3]', async () => {
    await using web = await openWeb(stage(), browser(), { viewport: { width: 360, height: 740 } });
    const { page, address } = web;
    await page.goto(`${address}/settings/model`);
    await page.getByRole('radio', { name: 'anthropic' }).check();
    await page.getByRole('button', { name: 'Test the connection' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('no key for anthropic').waitFor();
    expect(await alert.innerText()).toMatch(/Type the key in above\.$/);
    for (const name of ['Set up a model', 'Appearance', 'Status']) {
      await page.getByRole('navigation', { name: 'Settings pages' }).getByRole('link', { name }).click();
      const place = () =>
        page.getByRole('link', { name, exact: true }).evaluate((link) => {
          const { left, right } = link.getBoundingClientRect();
          return left >= 0 && right <= document.documentElement.clientWidth;
        });
      await until(`the tab ${name} is seen`, place);
    }
    await page.goto(`${address}/settings/appearance`);
    const tab = page.getByRole('link', { name: 'Appearance', exact: true });
    await tab.waitFor();
    const right = await tab.evaluate((link) => link.getBoundingClientRect().right);
    expect(right).toBeLessThanOrEqual(360);
  });

  it('leads no stored key elsewhere, whatever a script in the page asks [I5]', async () => {
    const server = await serve();
    const other = await stage().serve([{ text: 'mine now' }], { atEnd: 'repeat-last' });
    await using web = await openWeb(stage(), browser());
    const trial = { provider: 'openai-compatible', model: 'm', baseUrl: `${server.url}/v1` };
    expect((await send(web.page, 'PUT', '/settings/model', { trial: { ...trial, key: KEY } })).status).toBe(
      200,
    );
    const config = readFileSync(stage().layout.config, 'utf8');
    const away = { ...trial, baseUrl: `${other.url}/v1` };
    expect((await send(web.page, 'PUT', '/settings/model', { trial: away })).status).toBe(200);
    await stage().cli(['run', 'hello']);
    expect(other.requests.length).toBeGreaterThan(0);
    const message = { messageId: 'm1', content: 'hello', options: { baseUrl: `${other.url}/v1` } };
    const sent = await send(web.page, 'POST', '/sessions/any/messages', message);
    expect([sent.status, sent.text]).toEqual([403, expect.stringContaining('may not choose the address')]);
    expect(other.requests.filter(({ headers }) => JSON.stringify(headers).includes(KEY))).toEqual([]);
    writeFileSync(stage().layout.config, config);
    const name = /apiKeyEnv: (\S+)/.exec(config)?.[1] ?? '';
    for (const change of [
      { key: 'models.chat.baseUrl', value: `${other.url}/v1` },
      {
        key: 'models.title',
        value: `{ provider: openai-compatible, model: m, baseUrl: '${other.url}/v1', apiKeyEnv: ${name} }`,
      },
      { key: 'models.chat', value: '{ provider: offline, model: rules }' },
    ]) {
      const { status, text } = await send(web.page, 'PUT', '/settings', { changes: [change] });
      expect([change.key, status, text]).toEqual([change.key, 403, expect.stringContaining('config set')]);
    }
    expect(readFileSync(stage().layout.config, 'utf8')).toBe(config);
  });
});

describe('settings in a browser', () => {
  async function open(): Promise<WebPage> {
    const port = await freePort();
    writeFileSync(
      stage().layout.config,
      `# mine\nserver: { port: ${port} }\nlimits: { maxRounds: 3 } # few\n`,
    );
    const web = await openWeb(stage(), browser());
    await web.page.goto(`${web.address}/settings/all`);
    await web.page.getByRole('textbox', { name: 'Max rounds' }).waitFor();
    return web;
  }

  const config = () => readFileSync(stage().layout.config, 'utf8');

  it('are refused by the field with what they need, saved, and count after a restart from the page [I3]', async () => {
    await using web = await open();
    const { page } = web;
    const rounds = page.getByRole('textbox', { name: 'Max rounds' });
    expect(await rounds.inputValue()).toBe('3');
    await rounds.fill('0');
    await page.keyboard.press('Enter');
    await page.getByText('needs a number that is at least 1', { exact: true }).waitFor();
    expect(await rounds.getAttribute('aria-invalid')).toBe('true');
    const described = (await rounds.getAttribute('aria-describedby')) ?? '';
    expect(described.split(' ')).toEqual(['limits.maxRounds-help', 'limits.maxRounds-problem']);
    expect(config()).toContain('{ maxRounds: 3 } # few');
    await rounds.fill('7');
    await page.keyboard.press('Tab');
    await page.getByText('after a restart', { exact: true }).waitFor();
    expect(config()).toContain('# mine');
    expect(config()).toContain('{ maxRounds: 7 } # few');
    await page.getByRole('combobox', { name: 'Queues steer' }).selectOption('one');
    await page.getByText('queues.steer', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Restart the engine' }).click();
    await page.getByRole('button', { name: /Restart/ }).waitFor({ state: 'detached', timeout: 30_000 });
    expect(await rounds.inputValue()).toBe('7');
    await page.getByRole('button', { name: 'Default of Max rounds' }).click();
    await page.getByText('after a restart', { exact: true }).waitFor();
    expect([await rounds.inputValue(), config().includes('maxRounds')]).toEqual(['200', false]);
  });

  it('that protect are shown, and changed at a terminal only: the page can not, nor can the token of a program [I5] [FT39]', async () => {
    await using web = await open();
    const { page, address } = web;
    const before = config();
    await page.getByText('Can be changed only in a terminal').click();
    await page.getByText('policy', { exact: true }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Policy' }).count()).toBe(0);
    for (const [key, value] of [
      ['policy', 'permissive'],
      ['shield.classifier', 'off'],
      ['timeouts.approvalSeconds', '86400'],
      ['tools.web.allowPrivate', "['127.0.0.1:80']"],
      ['audit.onWitnessProblem', 'warn'],
      ['spend.perDay', '1000'],
      ['server.port', '1'],
      ['secrets.store', 'keychain'],
    ]) {
      const { status } = await send(page, 'PUT', '/settings', { changes: [{ key, value }] });
      expect([key, status]).toEqual([key, 403]);
    }
    const { stdout } = await stage().cli(['token', 'create', 'program']);
    const headers = { authorization: `Bearer ${stdout.trim()}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ changes: [{ key: 'limits.maxRounds', value: '9' }] });
    const calls = [
      fetch(`${address}/api/v1/settings`, { headers }),
      fetch(`${address}/api/v1/settings`, { method: 'PUT', headers, body }),
      fetch(`${address}/api/v1/settings/model`, { method: 'PUT', headers, body: '{}' }),
      fetch(`${address}/api/v1/settings/model/test`, { method: 'POST', headers, body: '{}' }),
    ];
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect(config()).toBe(before);
  });
});
