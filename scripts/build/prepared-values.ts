import { isDeepStrictEqual } from 'node:util';
import type { Plugin } from 'esbuild';

/**
 * Replaces each `*.prepared.ts` by the results of its functions: they have no parameters, depend
 * only on the sources, and return JSON values.
 *
 * @throws a build error if such a file can't be prepared
 */
export function preparedValues(): Plugin {
  return {
    name: 'prepared-values',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.prepared\.ts$/ }, async ({ path }) => {
        const exported: Record<string, unknown> = await import(path);
        const contents = Object.entries(exported).map(([name, make]) => preparedText(path, name, make));
        return { contents: contents.join('\n'), loader: 'js' };
      }),
  };
}

function preparedText(path: string, name: string, make: unknown): string {
  if (typeof make !== 'function') throw new Error(`${path}: ${name} is no function`);
  const value: unknown = make();
  const text = JSON.stringify(value);
  if (!isDeepStrictEqual(JSON.parse(text), value)) throw new Error(`${path}: JSON does not hold ${name}`);
  // Parsed on first use: faster than as an expression, and free if unused.
  return `export const ${name} = () => JSON.parse(${JSON.stringify(text)});`;
}
