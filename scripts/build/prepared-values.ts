import { isDeepStrictEqual } from 'node:util';
import type { Plugin } from 'esbuild';

/**
 * Replaces each `*.prepared.ts` by what its functions return: they take nothing, need nothing but the sources, and give what JSON holds.
 *
 * @throws what keeps such a file from being prepared, as an error of the build
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
  // Parsed when it is asked for: faster than as an expression, and nothing where nobody asks.
  return `export const ${name} = () => JSON.parse(${JSON.stringify(text)});`;
}
