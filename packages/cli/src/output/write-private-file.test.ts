import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writePrivateFile } from './write-private-file.ts';

describe('writePrivateFile', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bulkhead-file-'));
    path = join(folder, 'out');
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function* chunks(meanwhile: () => void = () => {}): AsyncGenerator<string> {
    yield 'one ';
    meanwhile();
    yield 'two';
  }

  it('has its name only once it is whole, for its owner alone', async () => {
    const seen: string[] = [];
    await writePrivateFile(
      path,
      chunks(() => seen.push(...readdirSync(folder))),
      { force: false, id: 'x' },
    );
    expect(seen).toEqual(['out.x.part']);
    expect(readdirSync(folder)).toEqual(['out']);
    expect(readFileSync(path, 'utf8')).toBe('one two');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('leaves a file alone that took the name meanwhile', async () => {
    const taken = chunks(() => writeFileSync(path, 'theirs'));
    await expect(writePrivateFile(path, taken, { force: false, id: 'x' })).rejects.toMatchObject({
      code: 'usage',
      message: `${path} already exists`,
    });
    expect(readFileSync(path, 'utf8')).toBe('theirs');
    expect(readdirSync(folder)).toEqual(['out']);
  });
});
