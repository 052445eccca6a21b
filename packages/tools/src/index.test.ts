import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import * as surface from './index.ts';

const here = import.meta.dirname;
/** Bytes that a module leaves when all that stays of it are its imports of Node's own modules. */
const BARE_IMPORTS = 200;

/** Files of ours and packages whose code is in a bundle of the given imports. */
async function bundled(imports: string): Promise<string[]> {
  const { metafile } = await build({
    stdin: { contents: `export { ${imports} } from './index.ts';`, resolveDir: here, loader: 'ts' },
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    outdir: '/',
  });
  const [output] = Object.values(metafile.outputs);
  return Object.entries(output?.inputs ?? {}).flatMap(([path, { bytesInOutput }]) =>
    bytesInOutput > BARE_IMPORTS ? [path] : [],
  );
}

describe('the public surface', () => {
  it('is small', () => {
    expect(Object.keys(surface).sort()).toEqual([
      'BackgroundCommands',
      'EgressBroker',
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
      'hostHeader',
      'memoryGroups',
      'memorySearchTool',
      'memoryTools',
      'memoryWriteTool',
      'parseAllowList',
      'parseHost',
      'parseHostPatterns',
      'parseOpenings',
      'parseRenderAnswer',
      'parseWebUrl',
      'problemLine',
      'processGroups',
      'processTools',
      'renderRequest',
      'resultGroups',
      'resultOpenTool',
      'resultTools',
      'serveWorker',
      'systemNetworks',
      'systemResolver',
      'unifiedDiff',
      'webGroups',
      'webTools',
    ]);
  });

  it('gives definitions without executors, the file layer or the wire', async () => {
    const paths = await bundled('coreTools, coreGroups, createToolRegistry');
    expect(paths.some((path) => path.endsWith('definitions/read-tool.ts'))).toBe(true);
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
