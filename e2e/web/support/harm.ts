import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Canary } from './canary.ts';
import type { WebPage } from './web-page.ts';

declare global {
  interface Window {
    __ran?: number;
    __refused?: string[];
  }
}

/** Has every page that is loaded from now on note what its policy of content refused. */
export async function watchRefusals(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.__refused = [];
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      window.__refused?.push(`${effectiveDirective} ${blockedURI}`);
    });
  });
}

/** Nothing ran, nothing was asked of another host, nothing even tried: what was drawn holds no element that could. */
export async function expectUnharmed({ page, requests, address }: WebPage, canary: Canary): Promise<void> {
  const found = await page.evaluate(() => ({
    ran: window.__ran ?? 0,
    refused: window.__refused ?? [],
    elements: [...document.querySelectorAll('main *')]
      .filter((one) =>
        /^(script|iframe|object|embed|video|audio|style|link|meta|base|math|foreignobject|use|animate)$/i.test(
          one.tagName,
        ),
      )
      .map((one) => one.outerHTML),
    images: [...document.querySelectorAll('main img')].map((one) => one.getAttribute('src') ?? ''),
    attributes: [...document.querySelectorAll('main *')].flatMap((one) =>
      [...one.attributes]
        .filter(({ name }) => name.startsWith('on') || name === 'srcdoc' || name === 'ping')
        .map(({ name }) => name),
    ),
    links: [...document.querySelectorAll('main a')]
      .map((one) => one.getAttribute('href') ?? '')
      .filter(
        (href) =>
          !/^(https?:|mailto:|\/(chat|sessions|settings|memory|console|approvals|skills|templates)?)/.test(
            href,
          ),
      ),
    open: [...document.querySelectorAll('main a[target=_blank]')].filter(
      (one) => !/noreferrer noopener/.test(one.getAttribute('rel') ?? ''),
    ).length,
  }));
  expect(found).toEqual({
    ran: 0,
    refused: [],
    elements: [],
    images: [],
    attributes: [],
    links: [],
    open: 0,
  });
  expect(canary.asked).toEqual([]);
  const ours = new URL(address).host;
  expect(requests.filter((url) => new URL(url).host !== ours)).toEqual([]);
}
