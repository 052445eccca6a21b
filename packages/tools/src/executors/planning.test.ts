import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ToolBench } from '../testing/tool-bench.ts';
import { sha256, treeState } from '../testing/tree-state.ts';

let bench: ToolBench;

beforeEach(() => {
  bench = new ToolBench();
});

afterEach(() => bench[Symbol.dispose]());

describe('the plan of a change [A5]', () => {
  it('of a write to a free name tells file, folders, difference and hashes, and makes none', async () => {
    expect(await bench.plan('write', { path: 'a/b/c.txt', content: 'one\n' })).toEqual({
      text: 'would make the folder a/b and create a/b/c.txt (4 bytes)\n--- /dev/null\n+++ b/a/b/c.txt\n@@ -0,0 +1,1 @@\n+one\n',
      isError: false,
      changes: [{ path: 'a/b/c.txt', before: null, after: sha256('one\n') }],
    });
    expect(readdirSync(bench.root)).toEqual([]);
  });

  it('of a write over a file tells both sizes and both hashes', async () => {
    writeFileSync(bench.at('a'), 'old\nsame\n');
    const before = treeState(bench.root);
    const plan = await bench.plan('write', { path: './a', content: 'newer\nsame\n' });
    expect(plan.text).toBe(
      'would replace a (11 bytes); it has 9 bytes now and would have 11\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-old\n+newer\n same\n',
    );
    expect(plan.changes).toEqual([
      { path: './a', before: sha256('old\nsame\n'), after: sha256('newer\nsame\n') },
    ]);
    expect(treeState(bench.root)).toEqual(before);
  });

  it('of an edit tells its place, difference and hashes', async () => {
    writeFileSync(bench.at('a'), 'one\r\ntwo\r\n');
    const plan = await bench.plan('edit', { path: 'a', old_text: 'one\ntwo', new_text: '1\n2' });
    expect(plan.text).toMatch(
      /^would edit a at line 1, with the line endings of the file \(CRLF\); it has 10 bytes now and would have 6\n--- a\/a\n/,
    );
    expect(plan.changes).toEqual([
      { path: 'a', before: sha256('one\r\ntwo\r\n'), after: sha256('1\r\n2\r\n') },
    ]);
  });

  it('bounds the difference it shows', async () => {
    const content = Array.from({ length: 5_000 }, (_, index) => `line ${index}`).join('\n');
    const plan = await bench.plan('write', { path: 'a', content });
    expect(plan.text.length).toBeLessThan(21_000);
    expect(plan.text).toContain('[the rest of the diff is not shown]');
  });

  it('hashes a present file that is too big to be shown, and names no change if it is too big for that', async () => {
    for (const megabytes of [9, 65]) {
      writeFileSync(bench.at('big'), '');
      truncateSync(bench.at('big'), megabytes * 1024 * 1024);
      const plan = await bench.plan('write', { path: 'big', content: 'x' });
      expect(plan.text).toContain('[big: too big for a diff]');
      const before = sha256(Buffer.alloc(9 * 1024 * 1024));
      expect(plan.changes).toEqual(megabytes === 9 ? [{ path: 'big', before, after: sha256('x') }] : []);
    }
  });

  it('counts neither as reading the file nor as changing it', async () => {
    writeFileSync(bench.at('a'), 'one');
    await bench.run('read', { path: 'a' });
    writeFileSync(bench.at('a'), 'two');
    const calls: readonly [string, object][] = [
      ['write', { path: 'a', content: 'x' }],
      ['edit', { path: 'a', old_text: 'two', new_text: 'x' }],
    ];
    for (const [tool, args] of calls) {
      const plan = await bench.plan(tool, args);
      expect(plan).toMatchObject({ isError: true, changes: [] });
      expect(plan.text).toContain('changed since it was last read; read it again');
      await bench.plan('read', { path: 'a' });
      expect((await bench.run(tool, args)).text).toBe(plan.text);
    }
  });
});

describe('a plan fails where its act would, with the same words [A5]', () => {
  beforeEach(() => {
    mkdirSync(bench.at('folder/.git/hooks'), { recursive: true });
    mkdirSync(bench.at('.aws'));
    for (const name of ['a', 'hard', '.env', '.aws/credentials']) writeFileSync(bench.at(name), 'xx = 1\nx');
    linkSync(bench.at('hard'), join(bench.outside, 'hard'));
    symlinkSync(bench.outside, bench.at('out'));
    symlinkSync('.env', bench.at('harmless'));
    symlinkSync('loop', bench.at('loop'));
    execFileSync('mkfifo', [bench.at('pipe')]);
  });

  const long = 'n'.repeat(256);
  it.each([
    ['write', { path: 'folder', content: '' }],
    ['write', { path: 'new/', content: '' }],
    ['write', { path: 'hard', content: '' }],
    ['write', { path: 'pipe', content: '' }],
    ['write', { path: 'loop', content: '' }],
    ['write', { path: 'a/b', content: '' }],
    ['write', { path: '', content: '' }],
    ['write', { path: `new/${long}`, content: '' }],
    ['write', { path: `new/${long}/x`, content: '' }],
    ['write', { path: `${'d/'.repeat(201)}x`, content: '' }],
    ['write', { path: '../x', content: '' }],
    ['write', { path: 'new/../x', content: '' }],
    ['write', { path: 'folder/new/../x', content: '' }],
    ['write', { path: 'new/../../x', content: '' }],
    ['write', { path: 'out/x', content: '' }],
    ['write', { path: '/etc/passwd', content: '' }],
    ['write', { path: '.env', content: '' }],
    ['write', { path: 'harmless', content: '' }],
    ['write', { path: 'new/.aws/credentials', content: '' }],
    ['write', { path: 'new/.git/hooks/pre-commit', content: '' }],
    ['write', { path: 'folder/.git/hooks/pre-commit', content: '' }],
    ['edit', { path: 'none', old_text: 'a', new_text: 'b' }],
    ['edit', { path: 'a', old_text: 'x', new_text: 'b' }],
    ['edit', { path: 'a', old_text: 'y', new_text: 'b' }],
    ['edit', { path: 'a', old_text: 'same', new_text: 'same' }],
    ['edit', { path: 'folder', old_text: 'a', new_text: 'b' }],
    ['read', { path: 'none' }],
    ['read', { path: 'folder' }],
    ['read', { path: 'pipe' }],
    ['read', { path: '.env' }],
    ['ls', { path: 'a' }],
    ['ls', { path: 'out' }],
    ['find', { pattern: '*', path: 'a' }],
    ['find', { pattern: '[' }],
    ['grep', { pattern: 'x', path: 'none' }],
    ['grep', { pattern: 'x', glob: '[' }],
  ])('%s %j', async (tool, args) => {
    const before = [treeState(bench.root), treeState(bench.outside)];
    const plan = await bench.plan(tool, args);
    expect([treeState(bench.root), treeState(bench.outside)]).toEqual(before);
    const result = await bench.run(tool, args);
    expect(plan).toEqual({ text: result.text, isError: true, changes: [] });
    expect(result.isError).toBe(true);
    expect([treeState(bench.root), treeState(bench.outside)]).toEqual(before);
  });

  it('also where a path goes back out of a folder that is not there: making it would change what it means', async () => {
    expect((await bench.plan('write', { path: 'folder/new/../x', content: '' })).text).toBe(
      'tool_failed: folder/new/../x: no such file or folder',
    );
  });

  it('also in a folder that may only be read', async () => {
    const call = ['write', { path: join(bench.outputs, 'new/x'), content: '' }] as const;
    const plan = await bench.plan(...call);
    expect(plan.text).toContain('the folder is read-only');
    expect((await bench.run(...call)).text).toBe(plan.text);
    expect(readdirSync(bench.outputs)).toEqual([]);
  });
});

describe('the plan of a tool that only reads [A5]', () => {
  it.each([
    ['read', { path: 'd/../a' }, 'would read a (6 bytes), at most 2000 lines from line 1'],
    ['ls', {}, 'would list ., at most 500 entries after 0'],
    ['find', { pattern: '*.ts', path: 'd' }, 'would look below d for files whose path matches *.ts'],
    ['grep', { pattern: 's.x' }, 'would search . for text that matches s.x'],
    ['grep', { pattern: 's', glob: '*.ts' }, 'would search . (*.ts) for text that matches s'],
  ])('%s %j is a sentence', async (tool, args, text) => {
    mkdirSync(bench.at('d'));
    writeFileSync(bench.at('a'), 'secret');
    expect(await bench.plan(tool, args)).toEqual({ text, isError: false, changes: [] });
  });
});
