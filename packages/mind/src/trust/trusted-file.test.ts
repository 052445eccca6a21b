import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changesBetween, digestOf, type TrustedFile } from './trusted-file.ts';

const hash = fc
  .array(fc.constantFrom(...'0123456789abcdef'), { minLength: 64, maxLength: 64 })
  .map((digits) => digits.join(''));
const name = fc.string({ minLength: 1, maxLength: 6 }).filter((text) => !text.includes('\0'));
const files: fc.Arbitrary<readonly TrustedFile[]> = fc.uniqueArray(
  fc.record({ path: name, size: fc.nat(), sha256: hash }),
  { maxLength: 6, selector: ({ path }) => path },
);

describe('the digest of a folder', () => {
  it('is the same only for the same files, in whatever order they come', () => {
    fc.assert(
      fc.property(files, files, (one, other) => {
        const same = JSON.stringify(one.toSorted(byPath)) === JSON.stringify(other.toSorted(byPath));
        expect(digestOf(one) === digestOf(other)).toBe(same);
        expect(digestOf(one.toReversed())).toBe(digestOf(one));
      }),
    );
  });

  it('does not let a name pass for the next file', () => {
    const sha256 = 'a'.repeat(64);
    const two = [
      { path: 'x', size: 1, sha256 },
      { path: 'y', size: 1, sha256 },
    ];
    expect(digestOf(two)).not.toBe(digestOf([{ path: `x\n${sha256} 1 y`, size: 1, sha256 }]));
  });
});

describe('changes', () => {
  it('name each file that differs, and none that does not', () => {
    fc.assert(
      fc.property(files, files, (before, now) => {
        const was = new Map(before.map((file) => [file.path, file.sha256]));
        const is = new Map(now.map((file) => [file.path, file.sha256]));
        const differing = [...new Set([...was.keys(), ...is.keys()])].filter(
          (path) => was.get(path) !== is.get(path),
        );
        expect(changesBetween(before, now).map(({ path }) => path)).toEqual(differing.toSorted());
      }),
    );
  });

  it('say what happened', () => {
    const file = (path: string, sha256: string) => ({ path, size: 1, sha256 });
    const before = [file('gone', 'a'), file('kept', 'a'), file('other', 'a')];
    expect(changesBetween(before, [file('kept', 'a'), file('new', 'a'), file('other', 'b')])).toEqual([
      { path: 'gone', what: 'removed' },
      { path: 'new', what: 'added' },
      { path: 'other', what: 'changed' },
    ]);
  });
});

function byPath(a: TrustedFile, b: TrustedFile): number {
  return a.path < b.path ? -1 : 1;
}
