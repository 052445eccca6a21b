import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { raceFolder } from '../testing/racer.ts';
import { ToolBench } from '../testing/tool-bench.ts';

let bench: ToolBench;

beforeEach(() => {
  bench = new ToolBench();
});

afterEach(() => bench[Symbol.dispose]());

function now(path: string): string {
  return readFileSync(bench.at(path), 'utf8');
}

describe('write [B2]', () => {
  it('creates a file with its folders and shows it as added lines', async () => {
    const result = await bench.run('write', { path: 'a/b/c.txt', content: 'one\ntwo\n' });
    expect(result.text).toBe('created a/b/c.txt (8 bytes)');
    expect(result.display).toBe('--- /dev/null\n+++ b/a/b/c.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n');
    expect(now('a/b/c.txt')).toBe('one\ntwo\n');
    expect(readdirSync(bench.at('a/b'))).toEqual(['c.txt']);
  });

  it('replaces a file never read, keeps its permissions and shows the difference', async () => {
    writeFileSync(bench.at('run.sh'), 'old\nsame\n');
    chmodSync(bench.at('run.sh'), 0o757);
    const result = await bench.run('write', { path: 'run.sh', content: 'new\nsame\n' });
    expect(result.text).toBe('replaced run.sh (9 bytes)');
    expect(result.display).toContain('-old\n+new\n same\n');
    expect(statSync(bench.at('run.sh')).mode & 0o7777).toBe(0o757);
  });

  it('drops set-user bits and does not follow a mask for kept ones', async () => {
    writeFileSync(bench.at('tool'), 'x');
    chmodSync(bench.at('tool'), 0o4766);
    await bench.run('write', { path: 'tool', content: 'y' });
    expect(statSync(bench.at('tool')).mode & 0o7777).toBe(0o766);
  });

  it('writes through a link inside and never through one that leads out [FT10]', async () => {
    writeFileSync(bench.at('target'), 'old');
    symlinkSync('target', bench.at('in'));
    symlinkSync(join(bench.outside, 'planted'), bench.at('out'));
    symlinkSync(bench.outside, bench.at('outdir'));
    symlinkSync('fresh', bench.at('dangling'));
    expect((await bench.run('write', { path: 'in', content: 'new' })).isError).toBe(false);
    expect(now('target')).toBe('new');
    expect(lstatSync(bench.at('in')).isSymbolicLink()).toBe(true);
    expect((await bench.run('write', { path: 'dangling', content: 'x' })).text).toBe(
      'created fresh (1 bytes)',
    );
    for (const path of ['out', 'outdir/planted', '../outside/planted', `${bench.outside}/planted`]) {
      expect(await bench.text('write', { path, content: 'x' })).toMatch(/^blocked: /);
    }
    expect(readdirSync(bench.outside)).toEqual([]);
  });

  it('refuses folders, hard-linked files and names that mean a folder [FT13]', async () => {
    mkdirSync(bench.at('folder'));
    writeFileSync(join(bench.outside, 'protected'), 'keep');
    linkSync(join(bench.outside, 'protected'), bench.at('hard'));
    expect(await bench.text('write', { path: 'folder', content: '' })).toContain('is a folder');
    expect(await bench.text('write', { path: 'new/', content: '' })).toContain('names a folder');
    expect(await bench.text('write', { path: 'hard', content: 'gone' })).toContain('has 2 hard links');
    expect(await bench.text('edit', { path: 'hard', old_text: 'keep', new_text: 'gone' })).toContain(
      'has 2 hard links',
    );
    expect(readFileSync(join(bench.outside, 'protected'), 'utf8')).toBe('keep');
    expect(existsSync(bench.at('new'))).toBe(false);
  });

  it('leaves no temporary file behind when it fails', async () => {
    mkdirSync(bench.at('d'));
    await bench.run('write', { path: `d/${'n'.repeat(255)}`, content: 'x' });
    await bench.run('write', { path: `d/${'n'.repeat(256)}`, content: 'x' });
    expect(readdirSync(bench.at('d'))).toEqual(['n'.repeat(255)]);
  });

  it('caps the difference it shows', async () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index}`).join('\n');
    const result = await bench.run('write', { path: 'a', content: lines });
    expect(result.display?.length).toBeLessThan(21_000);
    expect(result.display).toContain('[the rest of the diff is not shown]');
    expect(now('a')).toBe(lines);
  });

  it('loses no race against a folder that becomes a link to the outside and back [FT10]', async () => {
    mkdirSync(bench.at('sub'));
    let content = 0;
    const seen = await raceFolder(bench.root, bench.outside, ['blocked', 'replaced'], async () => {
      content += 1;
      const text = await bench.text('write', { path: 'sub/file', content: String(content) });
      return text.split(/[: ]/)[0] ?? '';
    });
    expect(readdirSync(bench.outside)).toEqual([]);
    expect([...seen.keys()]).toEqual(expect.arrayContaining(['blocked', 'replaced']));
  });
});

describe('stale changes [B2]', () => {
  it('refuses to change a file that changed since it was read, until it is read again', async () => {
    writeFileSync(bench.at('a'), 'one\n');
    await bench.run('read', { path: 'a' });
    writeFileSync(bench.at('a'), 'two\n');
    expect(await bench.text('write', { path: 'a', content: 'x' })).toContain(
      'changed since it was last read; read it again',
    );
    expect(await bench.text('edit', { path: './a', old_text: 'two', new_text: 'x' })).toContain(
      'read it again',
    );
    expect(now('a')).toBe('two\n');
    await bench.run('read', { path: 'a' });
    expect((await bench.run('edit', { path: 'a', old_text: 'two', new_text: 'three' })).isError).toBe(false);
    expect(now('a')).toBe('three\n');
  });

  it('takes a file with the same content for the same, whatever its times say', async () => {
    writeFileSync(bench.at('a'), 'one\n');
    await bench.run('read', { path: 'a' });
    utimesSync(bench.at('a'), 1, 1);
    expect((await bench.run('write', { path: 'a', content: 'two\n' })).isError).toBe(false);
  });

  it('knows its own writes', async () => {
    await bench.run('write', { path: 'a', content: 'one\n' });
    expect((await bench.run('edit', { path: 'a', old_text: 'one', new_text: 'two' })).isError).toBe(false);
    expect((await bench.run('write', { path: 'a', content: 'three\n' })).isError).toBe(false);
    writeFileSync(bench.at('a'), 'somebody else\n');
    expect((await bench.run('write', { path: 'a', content: 'four\n' })).isError).toBe(true);
    unlinkSync(bench.at('a'));
    expect((await bench.run('write', { path: 'a', content: 'four\n' })).isError).toBe(false);
  });

  it('serialises changes of one file: of many at once none is lost [B2]', async () => {
    await bench.run('write', {
      path: 'a',
      content: Array.from({ length: 40 }, (_, index) => `<${index}>`).join('\n'),
    });
    const edits = Array.from({ length: 40 }, (_, index) =>
      bench.run('edit', { path: 'a', old_text: `<${index}>`, new_text: `[${index}]` }),
    );
    expect((await Promise.all(edits)).filter(({ isError }) => isError)).toEqual([]);
    expect(now('a')).toBe(Array.from({ length: 40 }, (_, index) => `[${index}]`).join('\n'));
  });
});

describe('edit [B2]', () => {
  it('replaces one exact place and shows a unified diff', async () => {
    writeFileSync(bench.at('a'), 'one\ntwo\nthree\n');
    const result = await bench.run('edit', { path: 'a', old_text: 'two\n', new_text: '2\n2b\n' });
    expect(result.text).toBe('edited a at line 2');
    expect(result.display).toBe('--- a/a\n+++ b/a\n@@ -1,3 +1,4 @@\n one\n-two\n+2\n+2b\n three\n');
    expect(now('a')).toBe('one\n2\n2b\nthree\n');
  });

  it('refuses what is missing or there more than once, with a hint', async () => {
    writeFileSync(bench.at('a'), 'x = 1\n\tif (x) {\n\t\ty()\n\t}\nx = 1\n');
    const missing = (old_text: string) => bench.text('edit', { path: 'a', old_text, new_text: 'z' });
    expect(await missing('x = 1')).toContain('is there 2 times (lines 1, 5)');
    expect(await missing('  if (x) {\n    y()\n  }')).toContain('line 2 has it with other white space');
    expect(await missing('if (x) {\n  z()')).toContain('its first line is at line 2, but line 3 differs');
    expect(await missing('if (')).toBe('edited a at line 2');
    expect(await missing('nowhere')).toContain('no line of the file resembles');
    expect(await bench.text('edit', { path: 'none', old_text: 'a', new_text: 'b' })).toContain(
      'no such file; to create it use write',
    );
  });

  it('keeps CRLF line endings and says when it had to adapt', async () => {
    writeFileSync(bench.at('a'), 'one\r\ntwo\r\nthree\r\n');
    expect(await bench.text('edit', { path: 'a', old_text: 'one\ntwo', new_text: '1\n2' })).toBe(
      'edited a at line 1, with the line endings of the file (CRLF)',
    );
    expect(now('a')).toBe('1\r\n2\r\nthree\r\n');
    await bench.run('edit', { path: 'a', old_text: 'three', new_text: '3\n4' });
    expect(now('a')).toBe('1\r\n2\r\n3\r\n4\r\n');
  });

  it('keeps a byte order mark and bytes that are no UTF-8', async () => {
    writeFileSync(
      bench.at('a'),
      Buffer.concat([Buffer.from('\uFEFFhead\n'), Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from('tail\n')]),
    );
    expect((await bench.run('edit', { path: 'a', old_text: 'head', new_text: 'top' })).isError).toBe(false);
    expect(readFileSync(bench.at('a'))).toEqual(
      Buffer.concat([Buffer.from('\uFEFFtop\n'), Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from('tail\n')]),
    );
  });

  it('takes replacement text literally', async () => {
    writeFileSync(bench.at('a'), 'price');
    await bench.run('edit', { path: 'a', old_text: 'price', new_text: "$& $1 $' \\n" });
    expect(now('a')).toBe("$& $1 $' \\n");
  });
});

describe('protected names [A2]', () => {
  it.each(['.env', 'harmless', 'cfg/credentials'])('%s is neither written nor edited', async (path) => {
    mkdirSync(bench.at('.aws'));
    for (const name of ['.env', '.aws/credentials']) writeFileSync(bench.at(name), 'key=1');
    symlinkSync('.env', bench.at('harmless'));
    symlinkSync('.aws', bench.at('cfg'));
    const refusal = `blocked: ${path} may hold credentials: it is neither read nor written`;
    expect(await bench.text('write', { path, content: 'x' })).toBe(refusal);
    expect(await bench.text('edit', { path, old_text: 'key=1', new_text: 'x' })).toBe(refusal);
    expect(await bench.text('read', { path })).toBe(refusal);
    expect(now(path)).toBe('key=1');
  });

  it('nothing is put where it would be obeyed', async () => {
    mkdirSync(bench.at('.git/hooks'), { recursive: true });
    symlinkSync('.git', bench.at('link'));
    for (const path of ['link/hooks/post-checkout', 'link/new/x', '.bulkhead/policy.yaml']) {
      expect(await bench.text('write', { path, content: 'x' })).toBe(
        `blocked: ${path} is run or obeyed by other programs later`,
      );
    }
    expect(readdirSync(bench.at('.git'))).toEqual(['hooks']);
    expect(readdirSync(bench.at('.git/hooks'))).toEqual([]);
    expect(existsSync(bench.at('.bulkhead'))).toBe(false);
  });
});
