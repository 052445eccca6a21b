import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { changedPlaces } from './unified-diff.ts';

const patch = (before: string, after: string) =>
  createTwoFilesPatch('a/x.txt', 'b/x.txt', before, after, undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  });

it('finds in a diff the places that were changed, whatever the texts are [I4]', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', '', '-- c', '@@ -1 +1 @@', '+++ b/y', '\\ No'), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(lines, lines, (old, fresh) => {
      const [before, after] = [old, fresh].map((all) => all.map((line) => `${line}\n`).join(''));
      fc.pre(before !== after && before !== undefined && after !== undefined);
      let rebuilt = before;
      for (const { path, oldText, newText } of changedPlaces(patch(before, after), '/w') ?? []) {
        expect(path).toBe('/w/x.txt');
        expect(rebuilt).toContain(oldText ?? '');
        rebuilt = rebuilt.replace(oldText ?? '', () => newText);
      }
      fc.pre(old.length < 8 && fresh.length < 8);
      expect(rebuilt).toBe(after);
    }),
    { numRuns: 300 },
  );
});

it('knows a new file, and where a place begins', () => {
  const fresh = '--- /dev/null\n+++ b/d/new.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n';
  expect(changedPlaces(fresh, '/w')).toEqual([
    { path: '/w/d/new.txt', line: 1, oldText: null, newText: 'one\ntwo\n' },
  ]);
  const many = Array.from({ length: 40 }, (_, at) => `line ${at}`);
  const changed = many.with(2, 'first').with(30, 'second');
  const places = changedPlaces(patch(`${many.join('\n')}\n`, `${changed.join('\n')}\n`), '/w');
  expect(places?.map(({ line }) => line)).toEqual([1, 28]);
});

it.each([
  ['', 'nothing'],
  ['[x.bin: binary, no diff]', 'no diff'],
  ['--- a/x\n+++ b/x\n', 'no place'],
  ['--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n[the rest of the diff is not shown]', 'half of a place'],
  [`${patch('a\n', 'b\n')}[the rest of the diff is not shown]`, 'not all places'],
])('shows no part as the whole: %j (%s) [I4]', (diff) => {
  expect(changedPlaces(diff, '/w')).toBeUndefined();
});
