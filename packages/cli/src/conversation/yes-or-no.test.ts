import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { yesOrNo } from './yes-or-no.ts';

describe('yesOrNo', () => {
  it.each<[string, boolean | undefined]>([
    ['y', true],
    [' YES ', true],
    ['', false],
    ['n', false],
    ['No', false],
    ['yolo', undefined],
    ['y\nand more', undefined],
    ['/help', undefined],
  ])('%j is %s', (text, answer) => {
    expect(yesOrNo(text)).toBe(answer);
  });

  it('accepts only y and yes as confirmation', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(yesOrNo(text) === true).toBe(/^\s*y(es)?\s*$/i.test(text));
      }),
    );
  });
});
