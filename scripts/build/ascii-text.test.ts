import { transform } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { asciiText } from './ascii-text.ts';

/** The values of an expression before and after, in the bundler's form. */
async function both(expression: string): Promise<readonly [unknown, unknown]> {
  const { code } = await transform(`export default ${expression};`, { minifySyntax: true });
  const ascii = asciiText(code);
  expect(ascii).toMatch(/^\p{ASCII}*$/u);
  return [await exported(code), await exported(ascii)];
}

async function exported(code: string): Promise<unknown> {
  const { default: value } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return value;
}

describe('a bundle in ASCII', () => {
  it.each([
    ['a class', String.raw`'a…*b–'.replace(/[*…]/u, '!').replace(/[\-–—]/g, '?')`],
    ['a sign of two halves, read as one', "'𝈶x𝈶'.replace(/[<𝈶]/gu, '<')"],
    ['a sign of two halves, read as two', "'𝈶'.replace(/[𝈶]/g, '.')"],
    ['an escaped sign', String.raw`'\\–'.replace(/\–/, '!')`],
    ['a sign after an escaped backslash', String.raw`'\\–'.replace(/\\–/, '!')`],
    ['texts', '"’" + "𝈶" + `–`'],
    ['a comment', '/* … */ 1 // –\n'],
  ])('says the same: %s', async (_, expression) => {
    const [before, after] = await both(expression);
    expect(after).toEqual(before);
  });

  it('leaves what shows how it was written', () => {
    const text = 'String.raw`…` + /…/.source';
    expect(asciiText(text)).toBe(text);
  });
});
