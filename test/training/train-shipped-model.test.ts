import { SHIPPED_MODEL } from '@bulkhead/shield/classifier/testing';
import { describe, expect, it } from 'vitest';
import { trainModel } from './train-model.ts';
import { trainShippedModel } from './train-shipped-model.ts';
import { expand, trainingTexts } from './training-texts.ts';

describe('the training of the classifier', () => {
  it('gives the shipped model again, byte for byte, and as good as the page says', () => {
    const { model, heldOut } = trainShippedModel();
    expect(model).toEqual(SHIPPED_MODEL);
    expect(heldOut.precision).toBeGreaterThan(0.8);
    expect(heldOut.recall).toBeGreaterThan(0.7);
    expect(heldOut.falseAlarms).toBeLessThan(0.1);
  });

  it('depends on its texts', () => {
    const texts = trainingTexts('learned').filter((_, at) => at % 100 === 0);
    const other = texts.map((text) => ({ ...text, instructs: !text.instructs }));
    expect(trainModel(texts, 0.5, 1).weights).toEqual(trainModel(texts, 0.5, 1).weights);
    expect(trainModel(other, 0.5, 1).weights).not.toEqual(trainModel(texts, 0.5, 1).weights);
  });

  it('holds whole groups of templates back', () => {
    const learned = new Set(trainingTexts('learned').map(({ group }) => group));
    const heldOut = new Set(trainingTexts('held-out').map(({ group }) => group));
    expect([...heldOut].filter((group) => learned.has(group))).toEqual([]);
    expect([learned.size > 20, heldOut.size > 8]).toEqual([true, true]);
  });

  it('leaves no template with a choice or a slot unfilled', () => {
    const odd = trainingTexts('learned').filter(({ text }) =>
      /\{(?:name|mail|file|day)\}|\([^()]*\|[^()]*\)/.test(text),
    );
    expect(odd.map(({ text }) => text)).toEqual([]);
    expect(expand('(a|b)? (c )?{unknown}', () => 0.9)).toBe('b c {unknown}');
  });
});
