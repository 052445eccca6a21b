import { expect, it } from 'vitest';
import { NeedleIndex, needlesIn } from './needles.ts';

it('finds what is secret in a text, and nothing where there is nothing', () => {
  const index = new NeedleIndex();
  index.add(needlesIn('TOKEN=q8Zr55TTn0vbX1', 'restricted', '.env'));
  expect(index.find(['the word is q8zr55ttn0vbx1 indeed'])).toHaveLength(1);
  expect(index.find(['nothing of it'])).toEqual([]);
});

it('searches in bounded time: what can not be searched through is not clean [FT23]', () => {
  const lines = Array.from({ length: 2_000 }, (_, n) => `${'a'.repeat(60)}${n}`);
  const index = new NeedleIndex();
  index.add(needlesIn(lines.join('\n'), 'critical', 'x.tfstate'));
  const begun = performance.now();
  expect(index.find(['a'.repeat(150_000)])).toMatchObject([{ secrecy: 'critical' }]);
  expect(performance.now() - begun).toBeLessThan(5_000);
});
