import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tailFile } from './tail-file.ts';

describe('tailFile', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bulkhead-tail-'));
    path = join(folder, 'engine.log');
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function tail(lines: number): Promise<string[]> {
    const all: string[] = [];
    const { signal } = new AbortController();
    for await (const line of tailFile(path, { lines, follow: false, signal })) all.push(line);
    return all;
  }

  it('gives the last lines, also of a file longer than one read', async () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `${index} ${'ä'.repeat(20)}`);
    writeFileSync(path, `${lines.join('\n')}\n`);
    expect(await tail(3)).toEqual(lines.slice(-3));
    expect(await tail(4_000)).toEqual(lines.slice(-4_000));
    expect(await tail(9_999)).toEqual(lines);
    expect(await tail(0)).toEqual([]);
  });

  it('gives a last line without an end, and nothing of an empty file', async () => {
    writeFileSync(path, 'a\nb\nc');
    expect(await tail(2)).toEqual(['b', 'c']);
    writeFileSync(path, '');
    expect(await tail(2)).toEqual([]);
  });

  it('follows what is added, through a half line and a replaced file', async () => {
    writeFileSync(path, 'a\n');
    const stop = new AbortController();
    const lines = tailFile(path, { lines: 1, follow: true, signal: stop.signal });
    const next = async () => (await lines.next()).value;
    expect(await next()).toBe('a');
    appendFileSync(path, 'b');
    const pending = next();
    appendFileSync(path, 'c\n');
    expect(await pending).toBe('bc');
    writeFileSync(`${path}.new`, 'fresh\n');
    renameSync(`${path}.new`, path);
    expect(await next()).toBe('fresh');
    stop.abort();
    expect((await lines.next()).done).toBe(true);
  });
});
