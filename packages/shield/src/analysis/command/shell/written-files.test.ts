import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LABEL } from '../../effects/labels.ts';
import { WrittenFiles } from './written-files.ts';

const path = fc
  .array(fc.constantFrom('a', 'b', 'ab'), { minLength: 1, maxLength: 4 })
  .map((names) => `/${names.join('/')}`);
const labels = fc.constantFrom(LABEL.none, LABEL.secret, LABEL.file, LABEL.secret | LABEL.downloaded);
const written = fc.array(fc.tuple(path, labels), { maxLength: 8 });

it('knows of a path what was written to it, to a folder it lies in, and below it: as looking at each file would say [H2]', () => {
  fc.assert(
    fc.property(written, path, fc.option(path, { nil: undefined }), (writes, asked, pattern) => {
      const files = new WrittenFiles();
      for (const [name, value] of writes) files.set(name, { text: 'x', labels: value });
      const last = new Map(writes);
      const above = [...last].filter(([name]) => asked.startsWith(`${name}/`));
      const below = writes.filter(([name, value]) => name.startsWith(`${asked}/`) && value !== LABEL.none);
      const meant = pattern === undefined ? [] : [...last].filter(([name]) => name.startsWith(pattern));
      const near = [...above, ...below, ...meant];
      const expected = near.reduce<number>((all, [, value]) => all | value, LABEL.opaque);
      expect(files.around(asked, pattern)?.labels).toBe(near.length === 0 ? undefined : expected);
    }),
  );
});
