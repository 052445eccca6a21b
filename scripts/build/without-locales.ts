import type { Plugin } from 'esbuild';

const NAMESPACE = 'no-locales';

/** Leaves out zod's messages in fifty languages: the used ones are English, in a separate file. */
export function withoutLocales(): Plugin {
  return {
    name: 'without-locales',
    setup: ({ onLoad, onResolve }) => {
      onResolve({ filter: /\/locales\/index\.js$/ }, ({ importer, path }) =>
        /\/node_modules\/zod\//.test(importer)
          ? { path, namespace: NAMESPACE, sideEffects: false }
          : undefined,
      );
      onLoad({ filter: /.*/, namespace: NAMESPACE }, () => ({ contents: 'export {};', loader: 'js' }));
    },
  };
}
