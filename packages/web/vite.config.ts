import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { packedContract } from './src/contract/contract-plugin.ts';

/*
 * The content security policy allows own files only: no inline script or style, and data addresses
 * only for images. So nothing is inlined, and elements are created one by one instead of from text
 * (`fragments: 'tree'`).
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
    // One style sheet is smaller than the sum of its parts, and every page has its styles when it
    // appears.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { pluginTimings: false },
      // Pages are small and similar: together they need less than two thirds of their separate
      // size.
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: 'pages', test: /\/src\/pages\/(?!home\/)/ }],
        },
      },
    },
  },
});
