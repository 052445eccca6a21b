import { describe, expect, it } from 'vitest';
import { parseExceptions } from './file-size-rule.ts';
import { findFolderCycles, findImports, folderCycleProblems } from './folder-cycles-rule.ts';

const NONE = parseExceptions('');

/** A package of these files. */
const cyclesOf = (files: Readonly<Record<string, string>>) =>
  findFolderCycles(
    Object.entries(files).flatMap(([path, text]) => findImports(`packages/tools/src/${path}`, text)),
  );
const problemsOf = (files: Readonly<Record<string, string>>) =>
  folderCycleProblems(cyclesOf(files), NONE).join('\n');

describe('folders that import each other', () => {
  it('are refused, with the imports that make the circle', () => {
    expect(
      problemsOf({
        'files/open.ts': "import { find } from '../search/find.ts';",
        'search/walk.ts': "import { name } from '../files/name.ts';",
        'web/fetch.ts': "import { name } from '../files/name.ts';",
      }),
    ).toBe(
      [
        'packages/tools/src/files → packages/tools/src/search → packages/tools/src/files: these folders can be understood, tested and moved only together',
        '  packages/tools/src/files needs packages/tools/src/search:',
        '    packages/tools/src/files/open.ts imports packages/tools/src/search/find.ts',
        '  packages/tools/src/search needs packages/tools/src/files:',
        '    packages/tools/src/search/walk.ts imports packages/tools/src/files/name.ts',
      ].join('\n'),
    );
  });

  it('are found over several folders, each circle once', () => {
    const cycles = cyclesOf({
      'a/a.ts': "import '../b/b.ts';",
      'b/b.ts': "import '../c/c.ts';",
      'c/c.ts': "import '../a/a.ts';",
      'd/d.ts': "import '../e/e.ts';",
      'e/e.ts': "import '../d/other.ts';",
    });
    const names = cycles.map(({ steps }) => steps.map(({ from }) => from.at(-1)).join(''));
    expect(names).toEqual(['abc', 'de']);
  });

  it.each([
    ['a type', "import type { A } from '../a/a.ts';"],
    ['a name among several', "import { x, type A } from '../a/a.ts';"],
    ['an export', "export { a } from '../a/a.ts';"],
    ['a call', "const a = await import('../a/a.ts');"],
    ['a type by call', "type A = import('../a/a.ts').A;"],
    ['several lines', "import {\n  a,\n  b,\n} from '../a/a.ts';"],
  ])('are found by %s', (_name, text) => {
    expect(cyclesOf({ 'a/b.ts': "import '../b/c.ts';", 'b/c.ts': text })).toHaveLength(1);
  });

  it('are found where one lies in the other, and in Svelte', () => {
    const script = "<script lang=\"ts\">\n  import A from '../A.svelte';\n</script>\n<p>it's</p>";
    expect(
      cyclesOf({ 'a/A.svelte': "<script>import B from './b/B.svelte';</script>", 'a/b/B.svelte': script }),
    ).toHaveLength(1);
  });

  it.each([
    [
      'one way only',
      { 'a/a.ts': "import '../b/b.ts';", 'c/c.ts': "import '../a/a.ts'; import '../b/b.ts';" },
    ],
    ['by the files of the root', { 'index.ts': "import './a/a.ts';", 'a/a.ts': "import '../shared.ts';" }],
    ['by a test', { 'a/a.ts': "import '../b/b.ts';", 'b/b.test.ts': "import '../a/a.ts';" }],
    ['by what a test starts', { 'a/a.ts': "import '../b/b.ts';", 'b/b.child.ts': "import '../a/a.ts';" }],
    ['by what tests share', { 'a/a.ts': "import '../b/b.ts';", 'b/testing/b.ts': "import '../../a/a.ts';" }],
    [
      'by a comment or a text',
      {
        'a/a.ts': "import '../b/b.ts';",
        'b/b.ts': "// import '../a/a.ts';\nconst a = \"import '../a/a.ts'\";",
      },
    ],
  ])('are not those that do %s', (_name, files: Readonly<Record<string, string>>) => {
    expect(cyclesOf(files)).toEqual([]);
  });
});

describe('an exception', () => {
  const entry = parseExceptions('2026-01-02 packages/tools these become packages of their own');
  const cycles = cyclesOf({ 'a/a.ts': "import '../b/b.ts';", 'b/b.ts': "import '../a/a.ts';" });

  it('excuses a package, and no other', () => {
    expect(folderCycleProblems(cycles, entry)).toEqual([]);
    const other = parseExceptions('2026-01-02 packages/skills these become packages of their own');
    expect(folderCycleProblems(cycles, other)).toHaveLength(2);
  });

  it('goes when nothing needs it, and has a date', () => {
    expect(folderCycleProblems([], entry)).toEqual([
      'packages/tools needs no exception any more: it has no cycle of folders',
    ]);
    const undated = parseExceptions('packages/tools these become packages of their own');
    expect(folderCycleProblems([], undated)[0]).toContain('an exception is written');
  });
});
