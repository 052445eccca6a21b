import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import * as surface from './index.ts';

const here = import.meta.dirname;
/** Bytes of a module of which only imports of Node's own modules remain. */
const BARE_IMPORTS = 200;

/** Files of ours and packages whose code a program of the given imports reads at its start. */
async function bundled(imports: string): Promise<string[]> {
  const { metafile } = await build({
    stdin: { contents: `export { ${imports} } from './index.ts';`, resolveDir: here, loader: 'ts' },
    bundle: true,
    // Built like the engine: dynamic imports are read only when they run.
    splitting: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    outdir: '/',
  });
  const read = new Set(Object.keys(metafile.outputs).filter((path) => path.endsWith('stdin.js')));
  for (const path of read) {
    for (const one of metafile.outputs[path]?.imports ?? []) {
      if (one.kind === 'import-statement' && !one.external) read.add(one.path);
    }
  }
  const inputs = [...read].flatMap((path) => Object.entries(metafile.outputs[path]?.inputs ?? {}));
  return inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > BARE_IMPORTS ? [path] : []));
}

describe('the public surface', () => {
  it('is small', () => {
    expect(Object.keys(surface).sort()).toEqual([
      'BackgroundCommands',
      'EgressBroker',
      'PROXY',
      'changeLines',
      'coreGroups',
      'coreTools',
      'countChanges',
      'countText',
      'createProcessHost',
      'createShellHost',
      'createToolRegistry',
      'createWebHost',
      'dialAddress',
      'everyGroup',
      'everyTool',
      'executionOn',
      'hostHeader',
      'memorySearchTool',
      'memoryWriteTool',
      'parseAllowList',
      'parseHost',
      'parseHostPatterns',
      'parseOpenings',
      'parseRenderAnswer',
      'parseWebUrl',
      'problemLine',
      'readKeptOutput',
      'renderRequest',
      'serveWorker',
      'systemNetworks',
      'systemResolver',
      'toolsOf',
      'unifiedDiff',
    ]);
  });

  it('gives definitions without executors, the file layer or the wire', async () => {
    const paths = await bundled('everyTool, everyGroup, createToolRegistry');
    expect(paths.some((path) => path.endsWith('tools/read.ts'))).toBe(true);
    expect(
      paths.filter((path) =>
        /tools\/src\/(executors|files|search|shell|worker)\/|packages\/wire\/|@bufbuild|\/diff\//.test(path),
      ),
    ).toEqual([]);
  });

  it('gives the engine its hosts without executors', async () => {
    const paths = await bundled('serveWorker, createShellHost');
    expect(paths.filter((path) => /tools\/src\/(executors|search|worker)\/|\/diff\//.test(path))).toEqual([]);
  });
});
