import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * The CLI as it ships, beside the supervisor for tests, in a folder that is removed when disposed.
 */
export async function bundleForTest(): Promise<{ readonly cli: string } & Disposable> {
  const folder = mkdtempSync(join(tmpdir(), 'bulkhead-cli-bundle-'));
  const cli = fileURLToPath(new URL('../main.ts', import.meta.url));
  const supervisor = fileURLToPath(new URL('./fake-supervisor.ts', import.meta.url));
  await build({
    entryPoints: { cli, supervisor },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // As the build handles CommonJS packages.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  return {
    cli: join(folder, 'cli.js'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
