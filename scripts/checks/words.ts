import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from './check.ts';
import { resultOf } from './result.ts';
import { sourceFiles } from './source-files.ts';
import { findWords, parseLimits, wordProblems } from './words-rule.ts';

const LIMITS = 'scripts/checks/words-limit.txt';
const WHICH =
  /^(?:(?:README|CONTRIBUTING|SECURITY)\.md|docs\/.*\.md|(?:packages|scripts|e2e|bench|test)\/.*\.(?:ts|svelte))$/;

/** Pages are plain English; comments and test titles must not get worse. */
export const words: Check = {
  name: 'words',
  mend: `Write it in plain words, with the subject first. The numbers in ${LIMITS} only fall; code that moves takes its number along.`,
  async run({ root }) {
    const paths = (await sourceFiles(root, WHICH)).filter((path) => !path.startsWith('scripts/checks/words'));
    const files = await Promise.all(
      paths.map(async (path) => findWords(path, await readFile(join(root, path), 'utf8'))),
    );
    const found = files.flat();
    const limits = parseLimits(await readFile(join(root, LIMITS), 'utf8'));
    return resultOf(wordProblems(found, limits), `${found.length} left`);
  },
};
