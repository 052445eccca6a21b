import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ToolBench } from '../testing/tool-bench.ts';

let bench: ToolBench;

beforeEach(() => {
  bench = new ToolBench();
});

afterEach(() => bench[Symbol.dispose]());

describe('ls [B2]', () => {
  it('lists kinds, sizes and names by the bytes of the names', async () => {
    writeFileSync(bench.at('b.txt'), 'x'.repeat(1234));
    writeFileSync(bench.at('Z'), '');
    mkdirSync(bench.at('a'));
    symlinkSync('b.txt', bench.at('link'));
    execFileSync('mkfifo', [bench.at('pipe')]);
    expect(await bench.text('ls', {})).toBe(
      ['-    0 Z', 'd    0 a/', '- 1234 b.txt', 'l    5 link -> b.txt', 'p    0 pipe', '5 entries'].join(
        '\n',
      ),
    );
  });

  it('pages', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) writeFileSync(bench.at(name), '');
    expect(await bench.text('ls', { limit: 2 })).toBe(
      '- 0 a\n- 0 b\n[3 more entries: continue with offset=2]',
    );
    expect(await bench.text('ls', { offset: 2, limit: 3 })).toBe('- 0 c\n- 0 d\n- 0 e\n5 entries');
    expect(await bench.text('ls', { offset: 9 })).toBe('5 entries');
  });

  it('says what an empty folder, a file and a missing path are', async () => {
    mkdirSync(bench.at('empty'));
    writeFileSync(bench.at('file'), '');
    expect(await bench.text('ls', { path: 'empty' })).toBe('0 entries');
    expect(await bench.text('ls', { path: 'file' })).toContain('is not a folder; use read');
    expect(await bench.text('ls', { path: 'none' })).toContain('none: no such file or folder');
  });

  it('shows odd names escaped, by which they can be read, changed and found [FT15]', async () => {
    const names = [
      Buffer.from('latin\xe9', 'latin1'),
      Buffer.from('new\nline'),
      Buffer.from('\x1b]0;title\x07'),
      Buffer.from([0xff, 0xfe]),
    ];
    for (const name of names) writeFileSync(Buffer.concat([Buffer.from(`${bench.root}/`), name]), 'content');
    const listing = await bench.text('ls', {});
    expect(listing).toBe(
      ['- 7 \\x1b]0;title\\x07', '- 7 latin\\xe9', '- 7 new\\x0aline', '- 7 \\xff\\xfe', '4 entries'].join(
        '\n',
      ),
    );
    for (const line of listing.split('\n').slice(0, 4)) {
      const path = line.slice(4);
      expect(await bench.text('read', { path })).toBe('content');
      expect((await bench.run('edit', { path, old_text: 'content', new_text: 'changed' })).isError).toBe(
        false,
      );
      expect(await bench.text('grep', { pattern: 'changed' })).toContain(`${path}:1: changed`);
    }
    expect((await bench.text('ls', {})).endsWith('4 entries')).toBe(true);
  });
});
