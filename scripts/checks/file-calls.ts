import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from './check.ts';
import { fileCallProblems, findFileCalls, parseFileCallExceptions } from './file-calls-rule.ts';
import { resultOf } from './result.ts';
import { sourceFiles } from './source-files.ts';

const EXCEPTIONS = 'scripts/checks/file-calls-exceptions.txt';
/**
 * Code that receives paths from models, files and people. Tests and their support code are free.
 */
const GUARDED =
  /^packages\/(?:files|chronicle|memory|skills|tools|home|log|processes|actions|mind|runtime|client|engine)\/src\/.*\.ts$/;
const TEST = /(?:\.test\.ts|\.child\.ts|\/testing\/.*|\/regressions\/.*|\/testing\.ts)$/;

/** Files are reached by descriptor, never by a name that was checked (FR5). */
export const fileCalls: Check = {
  name: 'file-calls',
  mend:
    'Walk to it with GrantedFiles.locate and use what it holds open (packages/files, packages/tools/src/files). ' +
    `A file of Bulkhead's own, whose path nobody else names, gets a dated reason in ${EXCEPTIONS}.`,
  async run({ root }) {
    const paths = (await sourceFiles(root, GUARDED)).filter((path) => !TEST.test(path));
    const found = await Promise.all(
      paths.map(async (path) => findFileCalls(path, await readFile(join(root, path), 'utf8'))),
    );
    const exceptions = parseFileCallExceptions(await readFile(join(root, EXCEPTIONS), 'utf8'));
    const calls = found.flat();
    return resultOf(
      fileCallProblems(calls, exceptions),
      `${paths.length} files, ${calls.length} calls excused`,
    );
  },
};
