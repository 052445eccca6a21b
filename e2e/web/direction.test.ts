import { describe, expect, it } from 'vitest';
import { useStage } from '../support/use-stage.ts';
import { ask } from './support/ask.ts';
import { useBrowser } from './support/use-browser.ts';
import { openWeb } from './support/web-page.ts';

const stage = useStage();
const browser = useBrowser();

describe('characters that turn the reading direction', () => {
  it('do not turn the host that a link shows [I5] [FT47]', async () => {
    const links = [
      '[docs \u202e](https://gro.elpmaxe.test/)',
      'read \u202e this: [docs](https://gro.elpmaxe.test/)',
      '\u202e ![docs](https://gro.elpmaxe.test/)',
      '\u202e [docs](javascript:gro.elpmaxe)',
    ];
    await stage().model([{ text: links.join('\n\n') }]);
    await using web = await openWeb(stage(), browser());
    await ask(web.page, stage().folder, 'Show them');
    await web.page.getByText('gro.elpmaxe').nth(3).waitFor();
    // Where the first and the last letter of each address are drawn.
    const places = await web.page.evaluate(() => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found: { readonly first: number; readonly last: number }[] = [];
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const at = node.textContent?.indexOf('gro.elpmaxe') ?? -1;
        if (at < 0 || node.parentElement?.closest('.markdown') === null) continue;
        const leftOf = (offset: number) => {
          const range = document.createRange();
          range.setStart(node, offset);
          range.setEnd(node, offset + 1);
          return range.getBoundingClientRect().left;
        };
        found.push({ first: leftOf(at), last: leftOf(at + 10) });
      }
      return found;
    });
    expect(places).toHaveLength(4);
    for (const { first, last } of places) expect(first).toBeLessThan(last);
  });
});
