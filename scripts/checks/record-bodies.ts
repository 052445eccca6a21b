import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from './check.ts';
import { findLooseBodies, looseBodyProblems } from './record-bodies-rule.ts';
import { resultOf } from './result.ts';
import { sourceFiles } from './source-files.ts';

/** The rooms that read and write the log. In others a body is that of a request, a page or a skill. */
const GUARDED = /^packages\/(?:protocol|sessions|log|actions|mind|runtime|processes|engine)\/src\/.*\.ts$/;
/** The codec, which makes a typed record of stored text. */
const CODEC = 'packages/protocol/src/records/';
const TEST =
  /(?:\.(?:test|child|conformance)\.ts|\/testing\/.*|\/regressions\/.*|\/conformance\/.*|\/testing\.ts)$/;

/** The compiler checks the fields of every record that is read or written. */
export const recordBodies: Check = {
  name: 'record-bodies',
  mend:
    'Narrow LogRecord by its `type` (a switch, `isOf`) and name the field; write a NewRecord. A field that is missing ' +
    `goes into its type in ${CODEC}.`,
  async run({ root }) {
    const paths = (await sourceFiles(root, GUARDED)).filter(
      (path) => !TEST.test(path) && !path.startsWith(CODEC),
    );
    const found = await Promise.all(
      paths.map(async (path) => findLooseBodies(path, await readFile(join(root, path), 'utf8'))),
    );
    return resultOf(looseBodyProblems(found.flat()), `${paths.length} files`);
  },
};
