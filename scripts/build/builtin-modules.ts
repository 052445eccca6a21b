import { isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';

/** Imported by `import`, or by `require`. */
const NAMED = 'builtin-names';
const WHOLE = 'builtin-module';

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/**
 * Imports only the used names from modules of Node.js. An ES import of one reads every export once,
 * and so runs getters of unused exports: `node:http` loads all of undici for its `WebSocket`,
 * `node:fs` the file streams.
 */
export function builtinModules(): Plugin {
  return {
    name: 'builtin-modules',
    setup: ({ onLoad, onResolve }) => {
      onResolve({ filter: /^(node:)?[a-z_0-9]+(\/[a-z_]+)?$/ }, ({ path, kind }) => {
        if (!isBuiltin(path)) return undefined;
        if (kind === 'require-call') return { path, namespace: WHOLE };
        return kind === 'import-statement' ? { path, namespace: NAMED, sideEffects: false } : undefined;
      });
      onLoad({ filter: /.*/, namespace: WHOLE }, ({ path }) => ({
        contents: `module.exports = ${moduleText(path)};`,
        loader: 'js',
      }));
      onLoad({ filter: /.*/, namespace: NAMED }, ({ path }) => ({ contents: namesOf(path), loader: 'js' }));
    },
  };
}

/** The bundler drops unused names. */
function namesOf(path: string): string {
  const names = Object.keys(Object(process.getBuiltinModule(path))).filter(
    (name) => name !== 'default' && IDENTIFIER.test(name),
  );
  return [
    `const take = (name) => ${moduleText(path)}[name];`,
    ...names.map(
      (name) => `const $${name} = /* @__PURE__ */ take('${name}');\nexport { $${name} as ${name} };`,
    ),
    `export default /* @__PURE__ */ (() => ${moduleText(path)})();`,
  ].join('\n');
}

function moduleText(path: string): string {
  return `process.getBuiltinModule(${JSON.stringify(path)})`;
}
