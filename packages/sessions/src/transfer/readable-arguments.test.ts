import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readableArguments } from './html-message.ts';

describe('readableArguments', () => {
  it.each(['', '{', '[1]', 'null', '"text"', '{"a":1', `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`])(
    'shows what is no object, or can not be written again, as it stands: %.20s',
    (json) => {
      expect(readableArguments(json)).toEqual([{ label: '', text: json }]);
    },
  );

  it('shows nothing where there is nothing', () => {
    expect(readableArguments('{}')).toEqual([]);
  });

  it('shows every argument once', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('command', 'content', 'path', 'n', '__proto__'), fc.jsonValue()),
        (fields) => {
          const shown = readableArguments(JSON.stringify(fields))
            .map(({ label, text }) => `${label === '' ? '' : `${label}: `}${text}`)
            .join('\n');
          const parts = Object.entries(fields).map(([name, value]) => {
            const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
            return name === 'command' && typeof value === 'string' ? `$ ${text}` : `${name}: ${text}`;
          });
          expect(shown).toHaveLength(parts.join('\n').length);
          for (const part of parts) expect(shown).toContain(part);
        },
      ),
    );
  });
});
