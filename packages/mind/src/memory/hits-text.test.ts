import { expect, it } from 'vitest';
import { hitsText } from './memory-host.ts';

const hit = (path: string, heading: string, date: string) =>
  ({ source: 'memory', path, heading, date, lines: [3, 4], text: 'Oskar\n', score: 1 }) as const;

it('says of each piece where it is from, and its day once', () => {
  expect(
    hitsText([
      hit('sessions/s', '2026-11-20 Cats', '2026-11-20'),
      hit('MEMORY.md', 'Pets', ''),
      hit('memory/202611/20261119.md', '', '2026-11-19'),
    ]),
  ).toBe(
    [
      '[sessions/s:3-4 | 2026-11-20 Cats]\nOskar',
      '[MEMORY.md:3-4 | Pets]\nOskar',
      '[memory/202611/20261119.md:3-4 | 2026-11-19]\nOskar',
    ].join('\n\n'),
  );
  expect(hitsText([])).toBe('Nothing found.');
});
