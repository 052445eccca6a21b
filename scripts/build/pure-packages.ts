import type { Plugin } from 'esbuild';

const OURS = 'pure-packages';

/**
 * Leaves out what is not used of packages whose modules do nothing but define, and don't say so in their `package.json`: the terminal UI
 * draws its first frame without the code for Markdown, which lies in the same package.
 *
 * @param names of the packages; a module of theirs that did something when it is read would be lost
 */
export function purePackages(names: readonly string[]): Plugin {
  const inside = new RegExp(`/node_modules/(?:${names.join('|')})/`);
  return {
    name: OURS,
    setup: ({ onResolve, resolve }) => {
      onResolve({ filter: /.*/ }, async ({ path, importer, kind, resolveDir, pluginData }) => {
        const isOf = names.includes(path) || inside.test(importer);
        if (pluginData === OURS || !isOf || kind !== 'import-statement') return undefined;
        const found = await resolve(path, { importer, kind, resolveDir, pluginData: OURS });
        return inside.test(found.path) ? { ...found, sideEffects: false } : found;
      });
    },
  };
}
