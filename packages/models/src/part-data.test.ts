import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPartData } from './to-prompt.ts';

const asked = { metadataKey: 'anthropic', model: 'm' };

describe('readPartData', () => {
  it.each([
    ['nothing', '', undefined, false],
    ['its own', '{"anthropic":{"signature":"s"},"model":"m"}', { signature: 's' }, false],
    ['its own, from before models were noted', '{"anthropic":{"signature":"s"}}', { signature: 's' }, false],
    ['its own, empty', '{"anthropic":{},"model":"m"}', undefined, false],
    ["another model's", '{"anthropic":{"signature":"s"},"model":"other"}', undefined, true],
    ["another provider's", '{"openai":{"itemId":"i"},"model":"m"}', undefined, true],
    ['no object', '{"anthropic":"s"}', undefined, true],
    ['no JSON', '{', undefined, true],
  ])('reads %s', (_what, json, own, isForeign) => {
    expect(readPartData(json, asked)).toEqual({ own, isForeign });
  });

  it.each(['__proto__', 'constructor', 'toString'])('takes no %s for a provider', (metadataKey) => {
    expect(readPartData('{"model":"m"}', { metadataKey, model: 'm' }).own).toBeUndefined();
  });

  it('never throws, and what it does not understand is foreign', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        expect(readPartData(text, asked).own).toBeUndefined();
      }),
    );
  });
});
