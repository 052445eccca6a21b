import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from './check.ts';
import { countDependencies, dependencyProblems, parseDependencyExceptions } from './dependencies-rule.ts';
import { resultOf } from './result.ts';
import { sourceFiles } from './source-files.ts';

const EXCEPTIONS = 'scripts/checks/dependencies-exceptions.txt';
const ROOMS =
  /^packages\/(?:home|log|processes|actions|mind|runtime|engine)\/src\/(?!.*(?:\.test|\.child)\.ts$)(?!.*\/testing\/).*\.ts$/;

/** A class or a creating function of the rooms has at most 8 dependencies. */
export const dependencies: Check = {
  name: 'dependencies',
  mend: 'Give it a room or a group of services instead of their members, or split it. The exceptions only fall.',
  async run({ root }) {
    const paths = await sourceFiles(root, ROOMS);
    const sources = await Promise.all(
      paths.map(async (path) => [path, await readFile(join(root, path), 'utf8')] as const),
    );
    const counts = countDependencies(new Map(sources));
    const exceptions = parseDependencyExceptions(await readFile(join(root, EXCEPTIONS), 'utf8'));
    return resultOf(
      dependencyProblems(counts, exceptions),
      `${counts.length} classes and functions, ${exceptions.entries.length} exceptions`,
    );
  },
};
