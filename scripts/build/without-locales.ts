import type { Plugin } from 'esbuild';

const NAMESPACE = 'no-locales';

/** Leaves out the messages of zod in fifty languages: those it says are English, and that is a file of its own. */
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
