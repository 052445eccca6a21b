import { describe, expect, it } from 'vitest';
import { checkShape } from './read-body.ts';

const bytes = (text: string): Buffer => Buffer.from(text);

describe('checkShape', () => {
  it('refuses a body of more parts than it can be read in a moment, wherever they are [FT49]', () => {
    const most = 250_000;
    for (const one of ['[],', '{},', '0,', '"",', '"a":0,']) {
      const repeated = one.repeat(most + 1);
      expect(() => checkShape(bytes(`[${repeated}0]`)), one).toThrow(
        expect.objectContaining({ code: 'usage', details: { status: 413 } }),
      );
    }
    expect(() => checkShape(bytes('['.repeat(most + 1)))).toThrow();
    checkShape(bytes(`[${'0,'.repeat(most - 1)}0]`));
  });

  it('counts nothing of a text, whatever is escaped in it', () => {
    const text = JSON.stringify(`${',[{'.repeat(300_000)}"\\`);
    checkShape(bytes(`[${text},${text}]`));
    // The parser refuses text that never ends.
    checkShape(bytes(`"\\`));
  });
});
