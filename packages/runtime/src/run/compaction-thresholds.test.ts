import { expect, it } from 'vitest';
import { thresholdsOf } from './compaction-thresholds.ts';

it('are those of the model where it has any, else those of all [K1]', () => {
  const settings = {
    enabled: true,
    at: 0.7,
    keep: 0.3,
    models: [
      { model: 'a/large', at: 0.3 },
      { model: 'a/small', at: 0.8, keep: 0.5 },
      { model: 'a/large', at: 0.9, keep: 0.6 },
    ],
  };
  expect(thresholdsOf(settings, 'a/large')).toEqual({ at: 0.3, keep: 0.3 });
  expect(thresholdsOf(settings, 'a/small')).toEqual({ at: 0.8, keep: 0.5 });
  expect(thresholdsOf(settings, 'b/large')).toEqual({ at: 0.7, keep: 0.3 });
});
