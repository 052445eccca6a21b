import { expect, it } from 'vitest';
import { readingsOf } from './decodings.ts';
import { NeedleIndex, needlesIn } from './needles.ts';

it('finds what is secret in a text, and nothing where there is nothing', () => {
  const index = new NeedleIndex();
  index.add(needlesIn('TOKEN=q8Zr55TTn0vbX1', 'restricted', '.env'));
  expect(index.find(readingsOf('the word is q8Zr55TTn0vbX1 indeed'))).toHaveLength(1);
  expect(index.find(readingsOf('nothing of it'))).toEqual([]);
});

it('searches in bounded time: what can not be searched through is not clean [FT23]', () => {
  const lines = Array.from({ length: 2_000 }, (_, n) => `${'a'.repeat(60)}${n}`);
  const index = new NeedleIndex();
  index.add(needlesIn(lines.join('\n'), 'critical', 'x.tfstate'));
  const begun = process.cpuUsage();
  expect(index.find(readingsOf('a'.repeat(150_000)))).toMatchObject([{ secrecy: 'critical' }]);
  expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(5_000);
});

it('reads a text in bounded time: what is beyond the budget is not clean [FT23]', () => {
  const index = new NeedleIndex();
  index.add(needlesIn('TOKEN=q8Zr55TTn0vbX1', 'restricted', '.env'));
  for (const unit of ['a plain sentence of a report. ', 'QUFB', '41 42 ', '%41%42', 'ab12']) {
    const text = unit.repeat(400_000 / unit.length);
    const begun = process.cpuUsage();
    expect(index.find(readingsOf(text))).toMatchObject([{ secrecy: 'restricted' }]);
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(2_000);
    expect(index.find(readingsOf(text.slice(0, 20_000)))).toEqual([]);
  }
  expect(new NeedleIndex().find(readingsOf('x'.repeat(1_000_000)))).toEqual([]);
});
