import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from './check.ts';
import { parseExceptions } from './file-size-rule.ts';
import { findFolderCycles, findImports, folderCycleProblems } from './folder-cycles-rule.ts';
import { resultOf } from './result.ts';
import { sourceFiles } from './source-files.ts';

const EXCEPTIONS = 'scripts/checks/folder-cycles-exceptions.txt';
const SOURCES = /^packages\/[^/]+\/src\/.*\.(?:ts|svelte)$/;

/** Folders of a package are acyclic, not only its files. */
export const folderCycles: Check = {
  name: 'folder-cycles',
  mend: 'Move what both folders need to the one below, or make one folder of the two if they are one idea.',
  async run({ root }) {
    const paths = await sourceFiles(root, SOURCES);
    const imports = await Promise.all(
      paths.map(async (path) => findImports(path, await readFile(join(root, path), 'utf8'))),
    );
    const exceptions = parseExceptions(await readFile(join(root, EXCEPTIONS), 'utf8'));
    return resultOf(
      folderCycleProblems(findFolderCycles(imports.flat()), exceptions),
      `${paths.length} files, ${exceptions.entries.length} exceptions`,
    );
  },
};
