import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLines, textLines } from './open-lines.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-lines-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);

async function allOf(lines: AsyncIterable<string>): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

describe('the file of a session', () => {
  it('is given line by line, with or without an end of the last one, as a text is', async () => {
    for (const [text, lines] of [
      ['', []],
      ['a', ['a']],
      ['a\nb\n', ['a', 'b']],
      ['a\n\nb', ['a', '', 'b']],
    ] as const) {
      writeFileSync(at('file'), text);
      await using file = await openLines(at('file'));
      expect(await allOf(file)).toEqual(lines);
      expect(await allOf(textLines(text))).toEqual(lines);
    }
  });

  it('is a file: a pipe without a writer, a device and a folder are refused at once', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    mkdirSync(at('folder'));
    symlinkSync('/dev/zero', at('device'));
    for (const name of ['pipe', 'folder', 'device'])
      await expect(openLines(at(name))).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringContaining('is no file'),
        fix: expect.any(String),
      });
    await expect(openLines(at('none'))).rejects.toMatchObject({ code: 'usage', fix: expect.any(String) });
  });

  it('is refused before it is read if it is too large', async () => {
    writeFileSync(at('file'), '');
    truncateSync(at('file'), 512 * 1024 * 1024 + 1);
    await expect(openLines(at('file'))).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('larger'),
    });
  });

  it('ends with too many lines, or one that is too long', async () => {
    await expect(allOf(textLines('\n'.repeat(200_001)))).rejects.toMatchObject({ code: 'usage' });
    await expect(allOf(textLines('x'.repeat(32 * 1024 * 1024 + 1)))).rejects.toMatchObject({ code: 'usage' });
  });
});
