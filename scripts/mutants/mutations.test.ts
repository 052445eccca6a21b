import { expect, it } from 'vitest';
import { mutationsOf } from './mutations.ts';

function mutated(text: string): readonly string[] {
  return mutationsOf('x.ts', text).map(
    ({ start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end),
  );
}

it('flips conditions, comparisons and branches', () => {
  expect(mutated('if (a < b) c;')).toEqual(['if (!(a < b)) c;', 'if (a <= b) c;', 'if (a < b) ;']);
  expect(mutated('const x = a ? b : c;')).toEqual(['const x = !(a) ? b : c;']);
});

it('changes constants, drops statements and awaits', () => {
  expect(mutated('await f(1);')).toEqual([';', '(f(1));', 'await f((1 + 1));']);
  expect(mutated('const x = true;')).toEqual(['const x = false;']);
});

it('leaves types, imports and joined texts alone', () => {
  for (const text of ['type A = 1 | true;', "import a from 'a';", "const x = 'a' + b;", 'super();'])
    expect(mutated(text), text).toEqual([]);
});
