import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Stage } from '../../support/stage.ts';

/** A browser that is logged in, with its first page, and what went wrong in any of its pages. */
export interface WebPage extends AsyncDisposable {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly address: string;
  /** Errors that were written to the console or thrown: none is expected. */
  readonly problems: readonly string[];
  /** Addresses that were asked for. */
  readonly requests: readonly string[];
}

/** Starts the engine if none runs, and logs a browser in with the link that a person would open. */
export async function openWeb(
  stage: Stage,
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<WebPage> {
  await stage.withEngine();
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    ...options,
  });
  // A bound on what hangs: the machine may be busy with other work.
  context.setDefaultTimeout(120_000);
  const problems: string[] = [];
  const requests: string[] = [];
  context.on('request', (request) => requests.push(request.url()));
  context.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  context.on('weberror', (error) => problems.push(error.error().message));
  const page = await context.newPage();
  const link = await loginLink(stage);
  await page.goto(link);
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  return {
    context,
    page,
    address: new URL(link).origin,
    problems,
    requests,
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** The link that `bulkhead token --login` prints. */
export async function loginLink(stage: Stage): Promise<string> {
  using client = await stage.client();
  const { code, httpAddress } = await client.call('createLoginCode', {});
  return `${httpAddress}/#login=${code}`;
}
