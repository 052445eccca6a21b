import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from './check.ts';
import { resultOf } from './result.ts';
import { sourceFiles } from './source-files.ts';
import { findSuppressions, suppressionProblems } from './suppressions-rule.ts';

const LIMIT = 'scripts/checks/suppressions-limit.txt';

/** Every suppression has a reason, and their number only falls. */
export const suppressions: Check = {
  name: 'suppressions',
  mend: `Mend the cause instead of silencing it. What must stay says why in the comment; the number in ${LIMIT} follows.`,
  async run({ root }) {
    const paths = (await sourceFiles(root, /\.(ts|mjs|svelte)$/)).filter(
      (path) => !path.startsWith('scripts/checks/suppressions'),
    );
    const files = await Promise.all(
      paths.map(async (path) => findSuppressions(path, await readFile(join(root, path), 'utf8'))),
    );
    const found = files.flat();
    const limit = Number.parseInt(await readFile(join(root, LIMIT), 'utf8'), 10);
    return resultOf(suppressionProblems(found, limit), `${found.length} of ${limit}`);
  },
};
