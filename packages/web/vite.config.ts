import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { packedContract } from './src/contract/contract-plugin.ts';

/*
 * The policy of content allows own files only: no inline script or style, no data address but for images. So nothing
 * is inlined, and elements are made one by one instead of from text (`fragments: 'tree'`).
 */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  logLevel: 'warn',
  plugins: [
    packedContract(),
    svelte({ configFile: false, compilerOptions: { runes: true, fragments: 'tree' } }),
  ],
  build: {
    target: 'es2024',
    outDir: '../../dist/web',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // One style sheet is smaller than the sum of its parts, and no page ever appears without its own.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { pluginTimings: false },
      // Pages are small and alike: together they are less than two thirds of what they are one by one.
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: 'pages', test: /\/src\/pages\/(?!home\/)/ }],
        },
      },
    },
  },
});
