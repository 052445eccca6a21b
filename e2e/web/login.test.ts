import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { foundIn } from '../support/home-bytes.ts';
import { until } from '../support/until.ts';
import { useStage } from '../support/use-stage.ts';
import { useBrowser } from './support/use-browser.ts';
import { loginLink, openWeb } from './support/web-page.ts';

const stage = useStage();
const browser = useBrowser();

describe('a login by a link', () => {
  it('works once, leaves no trace of its code in address, history, storage or files, and its cookie is out of reach of scripts [I5] [FT51]', async () => {
    await stage().model([]);
    await stage().cli(['start', '--daemon']);
    const { stdout } = await stage().cli(['token', '--login']);
    const link = /http:\/\/\S+#login=\S+/.exec(stdout)?.[0] ?? '';
    const code = new URL(link).hash.slice('#login='.length);
    expect(code.length).toBeGreaterThan(40);
    await using context = await browser().newContext();
    const asked: string[] = [];
    context.on('request', (request) => asked.push(`${request.url()} ${JSON.stringify(request.headers())}`));
    const page = await context.newPage();
    await page.goto(link);
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    expect(page.url()).toBe(`${new URL(link).origin}/`);
    expect(asked.filter((one) => one.includes(code))).toEqual([]);
    const stored = await page.evaluate(() => [
      document.cookie,
      ...Object.values(localStorage),
      ...Object.values(sessionStorage),
    ]);
    expect(stored.filter((one) => one !== '')).toEqual([]);
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
    expect(cookie?.value.length).toBeGreaterThan(40);
    expect(foundIn(stage().layout.root, [code, cookie?.value ?? ''])).toEqual([]);

    await using second = await browser().newContext();
    const late = await second.newPage();
    await late.goto(link);
    await late.getByRole('alert').getByText('works once').waitFor();
    expect(await late.getByText('bulkhead token --login', { exact: true }).isVisible()).toBe(true);
  });

  it('that is wrong changes nothing for who is logged in, and spends no guess [I5] [FT37]', async () => {
    await stage().model([]);
    await using web = await openWeb(stage(), browser());
    const { page, address } = web;
    for (let count = 0; count < 12; count += 1) {
      await page.goto('about:blank');
      await page.goto(`${address}/#login=wrong${count}`);
      await page.getByRole('textbox', { name: 'Message' }).waitFor();
      await until('the code is out of the address', async () => !page.url().includes('#'));
    }
    await using second = await browser().newContext();
    const other = await second.newPage();
    await other.goto(await loginLink(stage()));
    await other.getByRole('textbox', { name: 'Message' }).waitFor();
  });

  it('that is taken back ends the page’s sockets, and the page asks for another [I5]', async () => {
    await stage().model([]);
    await using web = await openWeb(stage(), browser());
    using client = await stage().client();
    const { grants } = await client.call('listAccess', {});
    const login = grants.find(({ kind }) => kind === 'login');
    expect((await client.call('revokeAccess', { target: login?.id ?? '' })).revoked).toBe(true);
    await web.page.getByRole('heading', { name: 'Log in to Bulkhead' }).waitFor({ timeout: 10_000 });
    await web.page.goto(await loginLink(stage()));
    await web.page.getByRole('textbox', { name: 'Message' }).waitFor();
    await web.page.goto(`${web.address}/settings`);
    await web.page.getByRole('button', { name: 'Log out' }).click();
    await web.page.getByRole('heading', { name: 'Log in to Bulkhead' }).waitFor();
    expect(await web.context.cookies()).toEqual([]);
  });

  it('is not asked for again after a restart, and a page of the version before says so [I3] [I5]', async () => {
    await stage().model([]);
    await using web = await openWeb(stage(), browser());
    const { page } = web;
    let isLoaded = false;
    // As after an upgrade: the page that is served now names another script, until it is loaded.
    await web.context.route(`${web.address}/`, async (route) => {
      isLoaded ||= route.request().isNavigationRequest();
      if (isLoaded) return await route.continue();
      const response = await route.fetch();
      const body = (await response.text()).replace(/index-[\w-]+\.js/, 'index-another1.js');
      await route.fulfill({ response, body });
    });
    await page.getByRole('textbox', { name: 'Message' }).fill('not sent yet');
    // Any free port was taken: the next engine is to have the same.
    const config = readFileSync(stage().layout.config, 'utf8');
    writeFileSync(stage().layout.config, config.replace('port: 0', `port: ${new URL(web.address).port}`));
    await stage().cli(['restart']);
    await page.getByText('This page belongs to the previous version').waitFor({ timeout: 30_000 });
    await page.getByRole('button', { name: 'Reload' }).click();
    const field = page.getByRole('textbox', { name: 'Message' });
    await until('what was written is there', async () => (await field.inputValue()) === 'not sent yet');
    expect(await page.getByText('This page belongs to the previous version').count()).toBe(0);
  });
});
