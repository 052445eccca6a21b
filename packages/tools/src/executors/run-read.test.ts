import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, linkSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ToolBench } from '../testing/tool-bench.ts';

let bench: ToolBench;

beforeEach(() => {
  bench = new ToolBench();
});

afterEach(() => bench[Symbol.dispose]());

function lines(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`).join('\n');
}

describe('read [B2]', () => {
  it('gives a file as it is', async () => {
    writeFileSync(bench.at('a'), 'one\n\n  two\tü\n');
    expect(await bench.text('read', { path: 'a' })).toBe('one\n\n  two\tü');
    writeFileSync(bench.at('a'), 'no end');
    expect(await bench.text('read', { path: 'a' })).toBe('no end');
  });

  it('pages by lines', async () => {
    writeFileSync(bench.at('a'), `${lines(1, 2500)}\n`);
    expect(await bench.text('read', { path: 'a' })).toBe(
      `${lines(1, 2000)}\n[lines 1-2000 of 2500; continue with offset=2001]`,
    );
    expect(await bench.text('read', { path: 'a', offset: 2001 })).toBe(
      `${lines(2001, 2500)}\n[lines 2001-2500 of 2500]`,
    );
    expect(await bench.text('read', { path: 'a', offset: 3, limit: 2 })).toBe(
      `${lines(3, 4)}\n[lines 3-4 of 2500; continue with offset=5]`,
    );
    expect(await bench.text('read', { path: 'a', offset: 2501 })).toContain(
      'has 2500 lines; offset 2501 is past the end',
    );
  });

  it('stops a page at 50 kB, at the end of a line', async () => {
    writeFileSync(bench.at('a'), `${'x'.repeat(999)}\n`.repeat(120));
    const first = await bench.text('read', { path: 'a' });
    expect(first.endsWith('\n[lines 1-50 of 120; continue with offset=51]')).toBe(true);
    expect(Buffer.byteLength(first)).toBeLessThan(50_100);
  });

  it('cuts a line that is longer than a page, and goes on behind it', async () => {
    writeFileSync(bench.at('a'), `short\n${'y'.repeat(70_000)}\nend\n`);
    expect(await bench.text('read', { path: 'a' })).toBe('short\n[lines 1-1 of 3; continue with offset=2]');
    const cut = await bench.text('read', { path: 'a', offset: 2 });
    expect(cut).toBe(
      `${'y'.repeat(50_000)}\n[line 2 is cut: it has 70000 bytes]\n[lines 2-2 of 3; continue with offset=3]`,
    );
  });

  it('pages over the borders of its own chunks without losing or doubling a byte', async () => {
    const text = Array.from({ length: 40_000 }, (_, index) => `${index}:${'é'.repeat(index % 37)}`);
    writeFileSync(bench.at('a'), text.join('\n'));
    const got: string[] = [];
    while (got.length < text.length) {
      const page = await bench.text('read', { path: 'a', offset: got.length + 1, limit: 1_900 });
      got.push(...page.split('\n').filter((line) => !line.startsWith('[lines ')));
    }
    expect(got).toEqual(text);
  });

  it('reads CRLF and a byte order mark as plain lines', async () => {
    writeFileSync(bench.at('a'), '\uFEFFone\r\ntwo\r\n');
    expect(await bench.text('read', { path: 'a' })).toBe('one\ntwo');
  });

  it('describes what is no text, and says that an empty file is', async () => {
    writeFileSync(bench.at('png'), Buffer.from('89504e470d0a1a0a0000000d', 'hex'));
    writeFileSync(bench.at('odd'), Buffer.from([0x61, 0xff, 0x0a]));
    writeFileSync(bench.at('empty'), '');
    expect(await bench.text('read', { path: 'png' })).toBe(
      '[binary file, 12 bytes, PNG image; its bytes are not shown]',
    );
    expect(await bench.text('read', { path: 'odd' })).toBe(
      'a\uFFFD\n[bytes that are not UTF-8 are shown as \uFFFD]',
    );
    expect(await bench.text('read', { path: 'empty' })).toBe('[empty file]');
  });

  it('names ls for a folder, and reads through links and hard links', async () => {
    writeFileSync(bench.at('a'), 'text');
    symlinkSync('a', bench.at('soft'));
    linkSync(bench.at('a'), bench.at('hard'));
    expect(await bench.text('read', { path: '.' })).toBe('tool_failed: .: is a folder; use ls');
    expect(await bench.text('read', { path: 'soft' })).toBe('text');
    expect(await bench.text('read', { path: 'hard' })).toBe('text');
  });

  it('refuses pipes, sockets and devices at once [FT08]', async () => {
    execFileSync('mkfifo', [bench.at('pipe')]);
    const server = createServer().listen(bench.at('socket'));
    await once(server, 'listening');
    const calls = (path: string) => [
      bench.run('read', { path }),
      bench.run('ls', { path }),
      bench.run('grep', { path, pattern: 'x' }),
      bench.run('write', { path, content: '' }),
      bench.run('edit', { path, old_text: 'a', new_text: 'b' }),
    ];
    const results = await Promise.all([...calls('pipe'), ...calls('socket')]);
    expect(results.map(({ isError }) => isError)).toEqual(results.map(() => true));
    expect(await bench.text('read', { path: 'pipe' })).toContain('is a named pipe');
    server.close();
    await once(server, 'close');
  });

  it('keeps memory bounded for a file of a gigabyte and says that there is more [FT73]', async () => {
    writeFileSync(bench.at('huge'), 'first\n');
    truncateSync(bench.at('huge'), 1024 ** 3);
    writeFileSync(bench.at('lines'), '');
    for (let index = 0; index < 70; index += 1)
      appendFileSync(bench.at('lines'), `${'x'.repeat(1023)}\n`.repeat(1024));
    const before = process.memoryUsage().rss;
    expect(await bench.text('read', { path: 'huge' })).toContain('binary file, 1073741824 bytes');
    expect(await bench.text('read', { path: 'lines', limit: 1 })).toContain(
      'of more than 65536; continue with offset=2]',
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });

  it('stops reading when it is cancelled', async () => {
    writeFileSync(bench.at('big'), 'x\n'.repeat(4_000_000));
    const controller = new AbortController();
    const reading = bench.run('read', { path: 'big' }, controller.signal);
    controller.abort();
    expect((await reading).text).toBe('cancelled: cancelled');
  });
});
