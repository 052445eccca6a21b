import { describe, expect, it } from 'vitest';
import { createPalette, wantsColour } from './output.ts';

describe('colours', () => {
  it.each<[boolean, Record<string, string>, boolean]>([
    [true, {}, true],
    [true, { TERM: 'xterm' }, true],
    [true, { NO_COLOR: '' }, true],
    [true, { NO_COLOR: '1' }, false],
    [true, { TERM: 'dumb' }, false],
    [false, {}, false],
  ])('terminal %s with %j: %s', (isTTY, env, wanted) => {
    expect(wantsColour({ isTTY }, env)).toBe(wanted);
  });

  it('changes nothing when off', () => {
    expect(createPalette(false).red('x')).toBe('x');
    expect(createPalette(true).red('x')).toBe('\x1b[31mx\x1b[39m');
  });
});
