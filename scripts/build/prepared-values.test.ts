import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { preparedValues } from './prepared-values.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-prepared-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function bundled(source: string): Promise<string> {
  const entry = join(folder, 'one.prepared.ts');
  writeFileSync(entry, source);
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
    plugins: [preparedValues()],
  });
  return outputFiles[0]?.text ?? '';
}

describe('a prepared value', () => {
  it('is in the bundle, and how it was made is not', async () => {
    const text = await bundled('export const squares = () => [1, 2, 3].map((n: number) => ({ n: n * n }));');
    expect(text).not.toContain('map');
    const { squares } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
    expect(squares()).toEqual([{ n: 1 }, { n: 4 }, { n: 9 }]);
  });

  it.each([
    ['JSON does not hold it', 'export const made = () => new Map([[1, 2]]);', 'JSON does not hold made'],
    ['it is no function', 'export const made = 1;', 'made is no function'],
  ])('ends the build where %s', async (_, source, message) => {
    await expect(bundled(source)).rejects.toThrow(message);
  });
});
