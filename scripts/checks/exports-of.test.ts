import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exportsOf } from './exports-of.ts';

it('lists every export by entry, kind and name, and leaves generated code out', async () => {
  const root = await mkdtemp(join(tmpdir(), 'bulkhead-surface-'));
  try {
    await mkdir(join(root, 'packages/a/src/gen'), { recursive: true });
    const exports = { '.': './src/index.ts', './client': './src/client.ts', './wire': './src/gen/wire.ts' };
    await writeFile(
      join(root, 'packages/a/package.json'),
      JSON.stringify({ name: '@x/a', type: 'module', exports }),
    );
    await writeFile(join(root, 'packages/a/src/gen/wire.ts'), 'export const wire = 1;');
    await writeFile(join(root, 'packages/a/src/client.ts'), 'export const limit = 1;');
    await writeFile(
      join(root, 'packages/a/src/parts.ts'),
      'export class Part {}\nexport interface Shape { a: string }\nexport type Name = string;\nexport function make() {}\nexport const inner = 1;',
    );
    await writeFile(
      join(root, 'packages/a/src/index.ts'),
      "export { Part, make as create } from './parts.ts';\nexport type { Name, Shape } from './parts.ts';",
    );
    expect(await exportsOf(root, ['packages/a'])).toEqual(
      new Map([
        [
          'packages/a',
          '@x/a class Part\n@x/a function create\n@x/a interface Shape\n@x/a type Name\n@x/a/client const limit\n',
        ],
      ]),
    );
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
