import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from './check.ts';
import { parseExceptions, sizeProblems } from './file-size-rule.ts';
import { resultOf } from './result.ts';
import { sourceFiles } from './source-files.ts';

const EXCEPTIONS = 'scripts/checks/file-size-exceptions.txt';

/** No file has over 500 lines, or over 300 without a dated reason. */
export const fileSize: Check = {
  name: 'file-size',
  mend: `Split the file along its concepts. If it must be longer than 300 lines, add a dated reason to ${EXCEPTIONS}.`,
  async run({ root }) {
    const paths = await sourceFiles(root, /\.(ts|tsx|mjs|c|h|svelte|css|proto|sh)$/);
    const sizes = await Promise.all(
      paths.map(async (path) => ({ path, lines: countLines(await readFile(join(root, path), 'utf8')) })),
    );
    const exceptions = parseExceptions(await readFile(join(root, EXCEPTIONS), 'utf8'));
    return resultOf(
      sizeProblems(sizes, exceptions),
      `${paths.length} files, ${exceptions.entries.length} exceptions`,
    );
  },
};

function countLines(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
