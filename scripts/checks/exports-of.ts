import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

/**
 * Lists what packages export, from the `exports` of their `package.json`. Generated code is left
 * out: the wire contract has its own check.
 *
 * @param root The checkout.
 * @param folders The packages' folders below it.
 * @returns By folder: one line for each export, `entry kind name`, sorted. Packages without exports
 * are left out.
 */
export async function exportsOf(root: string, folders: readonly string[]): Promise<Map<string, string>> {
  const entries: { folder: string; entry: string; file: string }[] = [];
  for (const folder of folders) {
    const manifest: { name: string; exports?: Record<string, string> } = JSON.parse(
      await readFile(join(root, folder, 'package.json'), 'utf8'),
    );
    for (const [path, target] of Object.entries(manifest.exports ?? {})) {
      if (target.includes('/gen/')) continue;
      entries.push({ folder, entry: manifest.name + path.slice(1), file: join(root, folder, target) });
    }
  }
  const program = ts.createProgram(
    entries.map((one) => one.file),
    {
      target: ts.ScriptTarget.ES2024,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      allowImportingTsExtensions: true,
      noEmit: true,
      types: [],
      noLib: true,
    },
  );
  const checker = program.getTypeChecker();
  const found = new Map<string, string[]>();
  for (const { folder, entry, file } of entries) {
    const source = program.getSourceFile(file);
    const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
    const symbols = module === undefined ? [] : checker.getExportsOfModule(module);
    const lines = symbols.map((symbol) => `${entry} ${kindOf(checker, symbol)} ${symbol.name}`);
    found.set(folder, [...(found.get(folder) ?? []), ...lines.sort()]);
  }
  return new Map(
    [...found]
      .filter(([, lines]) => lines.length > 0)
      .map(([folder, lines]) => [folder, `${lines.join('\n')}\n`]),
  );
}

const KINDS: readonly (readonly [ts.SymbolFlags, string])[] = [
  [ts.SymbolFlags.Class, 'class'],
  [ts.SymbolFlags.Function, 'function'],
  [ts.SymbolFlags.Variable, 'const'],
  [ts.SymbolFlags.Interface, 'interface'],
  [ts.SymbolFlags.TypeAlias, 'type'],
];

function kindOf(checker: ts.TypeChecker, symbol: ts.Symbol): string {
  const target = (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
  return KINDS.find(([flag]) => (target.flags & flag) !== 0)?.[1] ?? 'unknown';
}
