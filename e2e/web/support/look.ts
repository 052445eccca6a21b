import type { Page } from 'playwright-core';
import { CHANGING_TEXT } from './changing-text.ts';

/** A picture of a page in which nothing differs from run to run: once two taken one after the other are alike. @returns PNG */
export async function lookOf(page: Page): Promise<Buffer> {
  const patterns = CHANGING_TEXT.map(([{ source }, name]) => [source, name] as const);
  let before: Buffer = Buffer.alloc(0);
  for (let tries = 0; tries < 20; tries += 1) {
    await page.evaluate(standStill, patterns);
    const now = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    if (now.equals(before)) return now;
    before = now;
  }
  throw new Error(`${page.url()} does not come to rest`);
}

/** Runs in the page. */
function standStill(patterns: readonly (readonly [string, string])[]): void {
  const same = (text: string) =>
    patterns.reduce((left, [source, name]) => left.replaceAll(new RegExp(source, 'g'), name), text);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode() !== null) {
    const { currentNode } = walker;
    const text = currentNode.nodeValue ?? '';
    if (same(text) !== text) currentNode.nodeValue = same(text);
  }
  for (const field of document.querySelectorAll('input')) field.value = same(field.value);
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

/** Of all pixels, how many differ so that one can see it: from 0 to 1. Two sizes differ in all. */
export async function differenceOf(page: Page, one: Buffer, other: Buffer): Promise<number> {
  return page.evaluate(
    async (pictures) => {
      const [left, right] = await Promise.all(
        pictures.map(async (base64) => {
          const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
          const { width, height, ...rest } = await createImageBitmap(new Blob([bytes])).then((bitmap) => ({
            width: bitmap.width,
            height: bitmap.height,
            bitmap,
          }));
          const canvas = new OffscreenCanvas(width, height).getContext('2d');
          canvas?.drawImage(rest.bitmap, 0, 0);
          return {
            width,
            height,
            data: canvas?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray(),
          };
        }),
      );
      if (
        left === undefined ||
        right === undefined ||
        left.width !== right.width ||
        left.height !== right.height
      )
        return 1;
      /** Steps of 256 that no one sees at an edge. */
      const SEEN = 48;
      let differing = 0;
      for (let at = 0; at < left.data.length; at += 4) {
        const differs = [0, 1, 2].some(
          (channel) => Math.abs((left.data[at + channel] ?? 0) - (right.data[at + channel] ?? 0)) > SEEN,
        );
        if (differs) differing += 1;
      }
      return differing / (left.width * left.height);
    },
    [one.toString('base64'), other.toString('base64')],
  );
}
