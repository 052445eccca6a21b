import { expect, it } from 'vitest';
import { diffLines } from './diff-lines.ts';

it('numbers the lines of a unified diff before and after', () => {
  expect(
    diffLines('--- a\n+++ b\n@@ -3,2 +3,3 @@ f\n x\n-y\n+z\n+w\n\\ No newline at end of file\n'),
  ).toEqual([
    { kind: 'name', text: '--- a' },
    { kind: 'name', text: '+++ b' },
    { kind: 'place', text: '@@ -3,2 +3,3 @@ f' },
    { kind: 'same', text: 'x', before: 3, after: 3 },
    { kind: 'removed', text: 'y', before: 4 },
    { kind: 'added', text: 'z', after: 4 },
    { kind: 'added', text: 'w', after: 5 },
    { kind: 'place', text: '\\ No newline at end of file' },
  ]);
});

it('shows what is no diff as it is', () => {
  expect(diffLines('binary')).toEqual([{ kind: 'name', text: 'binary' }]);
});
