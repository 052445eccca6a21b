import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const ROOT = dirname(import.meta.dirname);
/** Path of a snippet, for resolving its imports. */
const PLACE = join(ROOT, 'packages/sdk/examples');

/** Programs in a page, named after their place. */
function snippets(page: string): readonly (readonly [name: string, code: string])[] {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8');
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map((found) => {
    const line = text.slice(0, found.index).split('\n').length;
    return [join(PLACE, `${page}.${line}.ts`), found[1] ?? ''];
  });
}

/** The compiler's errors for them, with the settings of the checkout. */
function problems(programs: ReadonlyMap<string, string>): readonly string[] {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, ROOT);
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (name) => programs.has(name) || fileExists(name);
  host.readFile = (name) => programs.get(name) ?? readFile(name);
  host.getSourceFile = (name, version, ...rest) => {
    const code = programs.get(name);
    return code === undefined
      ? getSourceFile(name, version, ...rest)
      : ts.createSourceFile(name, code, version, true);
  };
  const program = ts.createProgram([...programs.keys()], options, host);
  return [...programs.keys()].flatMap((name) => {
    const source = program.getSourceFile(name);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ messageText }) => `${name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
  });
}

it('compiles the programs of the documentation [I4]', () => {
  const pages = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
  const programs = new Map(pages.flatMap(snippets));
  expect(programs.size).toBeGreaterThan(3);
  expect(problems(programs)).toEqual([]);
  const wrong = "import { createBulkhead } from '@bulkhead/sdk';\nawait createBulkhead({ hoem: '/x' });\n";
  expect(problems(new Map([[join(PLACE, 'wrong.ts'), wrong]]))).toHaveLength(1);
});
