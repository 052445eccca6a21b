import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../../..');
/** The generated wire code has enums, for which stripping types is not enough. */
const TYPES = '--experimental-transform-types';
/** User interfaces, which know tools only from the engine's description. */
const FACES: ReadonlySet<string> = new Set(['cli', 'tui', 'web', 'acp', 'sdk', 'http']);
const REGISTRY = 'packages/tools/src/tools/every-tool.ts';

/** All edits that a new tool needs: its file, and its import and line in the registry. */
const EDITS: Readonly<Record<string, (before: string) => string>> = {
  'packages/tools/src/tools/word-count.ts': () =>
    readFileSync(join(root, 'packages/tools/src/testing/word-count.ts'), 'utf8'),
  [REGISTRY]: (before) =>
    before
      .replace(
        'import { writeTool }',
        "import { wordCountTool } from './word-count.ts';\nimport { writeTool }",
      )
      .replace('  memoryWriteTool,\n]', '  memoryWriteTool,\n  wordCountTool,\n]'),
};

let copy: string;
beforeAll(() => {
  copy = realpathSync(mkdtempSync(join(tmpdir(), 'new-tool-')));
  mkdirSync(join(copy, 'packages'));
  mkdirSync(join(copy, 'node_modules/@bulkhead'), { recursive: true });
  for (const name of readdirSync(join(root, 'packages'))) {
    if (FACES.has(name)) continue;
    for (const part of ['package.json', 'src']) {
      const from = join('packages', name, part);
      cpSync(join(root, from), join(copy, from), {
        recursive: true,
        filter: (path) => !path.endsWith('.test.ts'),
      });
    }
    symlinkSync(`../../packages/${name}`, join(copy, 'node_modules/@bulkhead', name));
  }
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name === '@bulkhead' || name.startsWith('.')) continue;
    symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  }
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function run(...calls: readonly (readonly [tool: string, args: object])[]): unknown {
  const program = join(copy, 'packages/engine/src/composition/new-tool.child.ts');
  const options = { cwd: copy, encoding: 'utf8', timeout: 90_000 } as const;
  return JSON.parse(execFileSync(process.execPath, [TYPES, program, JSON.stringify(calls)], options));
}

it('a tool is added by one file and one line, and its calls are judged, planned, drawn and carried out', {
  timeout: 600_000,
}, () => {
  const args = { path: 'notes.txt', least: 4 };
  expect(() => run(['word_count', args])).toThrow(/there is no tool word_count/);
  for (const [path, edit] of Object.entries(EDITS)) {
    const place = join(copy, path);
    const before = path === REGISTRY ? readFileSync(place, 'utf8') : '';
    const after = edit(before);
    // The registry gets an import and an entry.
    if (path === REGISTRY) expect(after.split('\n').length - before.split('\n').length).toBe(2);
    writeFileSync(place, after);
  }
  expect(Object.keys(EDITS)).toHaveLength(2);
  expect(run(['word_count', args], ['word_count', { path: '../secret' }])).toMatchObject({
    seen: [
      {
        refused: false,
        result: { text: 'three\nfour', isError: false },
        completed: { success: true, summary: '2 words' },
        plan: { text: 'would count the words of notes.txt', isError: false },
        card: { kind: 'read', counts: ['word', 'words'] },
      },
      { refused: true },
    ],
    flowDecisions: expect.arrayContaining(['allow']),
    verdicts: expect.arrayContaining([
      expect.objectContaining({ decision: 'allow' }),
      expect.objectContaining({ decision: 'block' }),
    ]),
  });
});
