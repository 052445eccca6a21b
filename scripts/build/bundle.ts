import { mkdir, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { asciiText } from './ascii-text.ts';
import { builtinModules } from './builtin-modules.ts';
import { type Entry, fileOf } from './entries.ts';
import { preparedValues } from './prepared-values.ts';

/** The files written for one entry. */
export interface Bundle {
  readonly entry: Entry;
  /** Paths below the output folder, the entry first. */
  readonly files: readonly string[];
  /** Bytes read at every start: the entry and what it imports statically. */
  readonly startBytes: number;
  /** Bytes of all files. */
  readonly totalBytes: number;
}

/** Packages in CommonJS call `require` for built-in modules; ES modules lack it. */
const REQUIRE_BANNER =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);\n";

/**
 * Bundles one entry for Node.js 24 as an ES module.
 *
 * @param root The checkout.
 * @param entry What to bundle.
 * @param outputFolder Where to write; created if missing.
 * @param faults True: with active fault points, for tests that kill processes.
 * @returns The written files.
 * @throws When the sources don't compile, or an entry that must be one file needs more.
 */
export async function bundle(
  root: string,
  entry: Entry,
  outputFolder: string,
  faults = false,
): Promise<Bundle> {
  const result = await build({
    absWorkingDir: root,
    entryPoints: { [entry.name]: entry.source },
    outdir: outputFolder,
    bundle: true,
    splitting: entry.split,
    outExtension: { '.js': entry.split ? '.js' : '.mjs' },
    chunkNames: `chunks/${entry.name}-[name]-[hash]`,
    format: 'esm',
    plugins: [
      builtinModules(),
      preparedValues(),
      withoutLocales(),
      ...(faults ? [armedFaultPoints(root)] : []),
    ],
    platform: 'node',
    target: 'node24',
    // Names stay readable in stack traces; white space costs almost nothing with a warm compile
    // cache.
    minifySyntax: true,
    legalComments: 'external',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  for (const file of result.outputFiles) {
    await mkdir(dirname(file.path), { recursive: true });
    await writeFile(file.path, /\.m?js$/.test(file.path) ? programText(file.text) : file.contents);
  }
  const outputs = toOutputFolder(root, outputFolder, result.metafile);
  const name = fileOf(entry);
  if (!entry.split) assertSelfContained(entry, outputs);
  const sum = (files: Iterable<string>) =>
    [...files].reduce((total, file) => total + (outputs[file]?.bytes ?? 0), 0);
  return {
    entry,
    files: [name, ...Object.keys(outputs).filter((file) => file !== name)],
    startBytes: sum(staticClosure(outputs, name)),
    totalBytes: sum(Object.keys(outputs)),
  };
}

function programText(text: string): string {
  const needsRequire = text.includes('Dynamic require of "');
  return asciiText(needsRequire ? REQUIRE_BANNER + text : text);
}

type Outputs = Metafile['outputs'];

function toOutputFolder(root: string, outputFolder: string, metafile: Metafile): Outputs {
  const below = (path: string) => relative(outputFolder, join(root, path));
  return Object.fromEntries(
    Object.entries(metafile.outputs).map(([path, output]) => [
      below(path),
      {
        ...output,
        imports: output.imports.map((one) => (one.external ? one : { ...one, path: below(one.path) })),
      },
    ]),
  );
}

function staticClosure(outputs: Outputs, start: string): Set<string> {
  const seen = new Set([start]);
  for (const file of seen) {
    for (const one of outputs[file]?.imports ?? []) {
      if (one.kind === 'import-statement' && !one.external) seen.add(one.path);
    }
  }
  return seen;
}

function assertSelfContained(entry: Entry, outputs: Outputs): void {
  const foreign = (outputs[fileOf(entry)]?.imports ?? [])
    .filter((one) => !one.path.startsWith('node:') && !isBuiltin(one.path))
    .map((one) => one.path);
  if (foreign.length > 0) {
    throw new Error(
      `${fileOf(entry)} must be one file, for its box grants no other, but it imports ${foreign.join(', ')}. Bundle it or do without.`,
    );
  }
}

/**
 * The replacement of protocol's empty `faultPoint`. No import leads to it, so no other build can
 * contain it.
 */
const ARMED = 'packages/testkit/src/crash/fault-point.ts';

/** @param root the checkout */
function armedFaultPoints(root: string): Plugin {
  return {
    name: 'armed-fault-points',
    setup: ({ onResolve }) =>
      onResolve({ filter: /^\.\/fault-point\.ts$/ }, ({ importer }) =>
        importer.includes('/packages/protocol/') ? { path: join(root, ARMED) } : undefined,
      ),
  };
}

const NAMESPACE = 'no-locales';

/** Leaves out zod's messages in fifty languages: the used ones are English, in a separate file. */
function withoutLocales(): Plugin {
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
