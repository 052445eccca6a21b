import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The agent as one file, as it is shipped. */
export interface AgentBundle extends AsyncDisposable {
  readonly path: string;
  readonly bytes: number;
}

/** Bundles `main.ts` into a temporary folder, which goes when the bundle is disposed of. */
export async function bundleAgent(): Promise<AgentBundle> {
  const folder = await mkdtemp(join(tmpdir(), 'bulkhead-agent-'));
  const path = join(folder, 'agent.mjs');
  const { metafile } = await build({
    entryPoints: [fileURLToPath(new URL('../main.ts', import.meta.url))],
    outfile: path,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    metafile: true,
  });
  const bytes = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
  return {
    path,
    bytes,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
