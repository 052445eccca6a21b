import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ToolBench } from '../testing/tool-bench.ts';
import { sha256 } from '../testing/tree-state.ts';
import { inspectFile } from '../worker/run-directives.ts';
import { GrantedFiles } from './granted-files.ts';

let bench: ToolBench;

beforeEach(() => {
  bench = new ToolBench();
  mkdirSync(bench.at('folder'));
  for (const name of ['a', '.env']) writeFileSync(bench.at(name), 'x');
  writeFileSync(join(bench.outside, 'secret'), 'x');
});

afterEach(() => bench[Symbol.dispose]());

describe('inspectFile [T8]', () => {
  it('tells a file by its hash, also through a link inside and in a folder that may only be read', async () => {
    symlinkSync('../a', bench.at('folder', 'link'));
    writeFileSync(join(bench.outputs, 'out'), 'y');
    writeFileSync(bench.at('empty'), '');
    expect(await bench.inspect('a')).toBe(sha256('x'));
    expect(await bench.inspect('folder/link')).toBe(sha256('x'));
    expect(await bench.inspect(join(bench.outputs, 'out'))).toBe(sha256('y'));
    expect(await bench.inspect('empty')).toBe(sha256(''));
  });

  it('tells that there is none, also where its folders are missing or a link leads nowhere', async () => {
    symlinkSync('gone/too', bench.at('dangling'));
    for (const path of ['none', 'n/o/n/e', 'folder/none', 'dangling']) {
      expect([path, await bench.inspect(path)]).toEqual([path, null]);
    }
  });

  it('tells nothing of what is no plain file, lies outside or may hold credentials [A2]', async () => {
    execFileSync('mkfifo', [bench.at('pipe')]);
    symlinkSync(bench.outside, bench.at('out'));
    symlinkSync('.env', bench.at('harmless'));
    const paths = [
      '.',
      'folder',
      'folder/',
      'new/',
      'pipe',
      'out',
      'out/secret',
      '../outside/secret',
      '/dev/null',
    ];
    for (const path of [...paths, '.env', 'harmless', '.aws/credentials', 'a/b', '', 'n\0']) {
      expect([path, await bench.inspect(path)]).toEqual([path, undefined]);
    }
  });

  it('reads no more than it should, and stops when it is cancelled', async () => {
    writeFileSync(bench.at('a'), '');
    truncateSync(bench.at('a'), 64 * 1024 * 1024);
    expect(await bench.inspect('a')).toBe(sha256(Buffer.alloc(64 * 1024 * 1024)));
    using files = GrantedFiles.open({ roots: [{ path: bench.root, access: 'rw' }] });
    const cancel = new AbortController();
    const cut = inspectFile(files, 'a', cancel.signal);
    cancel.abort();
    expect(await cut).toBeUndefined();
    truncateSync(bench.at('a'), 64 * 1024 * 1024 + 1);
    expect(await bench.inspect('a')).toBeUndefined();
  });

  it('does not take for one content what changes while it is read', async () => {
    truncateSync(bench.at('a'), 32 * 1024 * 1024);
    const seen = bench.inspect('a');
    await new Promise(setImmediate);
    writeFileSync(bench.at('a'), 'y', { flag: 'r+' });
    expect(await seen).toBeUndefined();
  });
});
