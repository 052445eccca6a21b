import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROTOCOL_VERSION } from '@bulkhead/protocol';
import { build, type Plugin } from 'esbuild';

/** The agent as one file, as shipped. */
export interface AgentBundle extends AsyncDisposable {
  readonly path: string;
  readonly bytes: number;
}

/**
 * Bundles `main.ts` into a temporary folder, removed when the bundle is disposed.
 * @param version of the agent's protocol
 */
export async function bundleAgent(version = PROTOCOL_VERSION): Promise<AgentBundle> {
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
    plugins: [ofVersion(version)],
  });
  const bytes = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
  return {
    path,
    bytes,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Replaces the number of the protocol's version: a build of older or newer sources. */
function ofVersion(version: number): Plugin {
  return {
    name: 'protocol-version',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\/protocol\/src\/version\.ts$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        const contents = source.replace(/(PROTOCOL_VERSION = )\d+/, `$1${version}`);
        return { contents, loader: 'ts' };
      }),
  };
}
