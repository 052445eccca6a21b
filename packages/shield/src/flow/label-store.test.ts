import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinLabels, type Label } from './label.ts';
import { createLabelStore } from './label-store.ts';

const FOREIGN: Label = { secrecy: 'internal', trust: 'external' };
const SECRET: Label = { secrecy: 'restricted', trust: 'workspace' };

const path = fc
  .array(fc.constantFrom('a', 'b', 'a-', 'a0', 'ab'), { minLength: 1, maxLength: 4 })
  .map((names) => `/${names.join('/')}`);
const label = fc.constantFrom(FOREIGN, SECRET);
const entries = fc.array(fc.tuple(path, label), { maxLength: 20 });

const isIn = (key: string, folder: string) => key === folder || key.startsWith(`${folder}/`);

describe('a label store', () => {
  it('finds what lies above and below as one that looks at all of them does [F2]', () => {
    fc.assert(
      fc.property(entries, path, (all, asked) => {
        const store = createLabelStore(all);
        const found = (accept: (key: string) => boolean) =>
          [...new Map(all)]
            .filter(([key]) => accept(key))
            .map(([, each]) => each)
            .reduce<Label | undefined>((a, b) => (a === undefined ? b : joinLabels(a, b)), undefined);
        expect(store.get(asked)).toEqual(found((key) => isIn(asked, key)));
        expect(store.below(asked)).toEqual(found((key) => isIn(asked, key) || isIn(key, asked)));
        const above = asked.slice(0, asked.lastIndexOf('/'));
        expect(store.beginning(asked)).toEqual(found((key) => isIn(above, key) || key.startsWith(asked)));
      }),
    );
  });

  it('leaves nothing below a deleted folder, and moves everything with a moved one', () => {
    fc.assert(
      fc.property(entries, path, (all, from) => {
        const store = createLabelStore(all);
        const had = store.entries(from);
        const others = store.entries().filter(([key]) => !isIn(key, from));
        store.move(from, '/elsewhere');
        expect(store.entries(from)).toEqual([]);
        expect(store.entries('/elsewhere').map(([, each]) => each)).toEqual(had.map(([, each]) => each));
        store.remove('/elsewhere');
        expect(store.entries()).toEqual(others);
      }),
    );
  });

  it('tells what a folder holds, and not what only begins like it', () => {
    const store = createLabelStore([
      ['/w', SECRET],
      ['/w/a', FOREIGN],
      ['/w-other', FOREIGN],
    ]);
    expect(store.entries('/w').map(([key]) => key)).toEqual(['/w', '/w/a']);
    expect(store.entries('.')).toHaveLength(3);
    expect(store.below('/')).toEqual({ secrecy: 'restricted', trust: 'external' });
  });
});
