import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from './check.ts';
import { exportsOf } from './exports-of.ts';
import { methodSurface } from './method-surface.ts';
import { resultOf } from './result.ts';

const FOLDER = 'api';

/** The names that packages export and the methods that clients call change only on purpose. */
export const surface: Check = {
  name: 'surface',
  mend: 'Take the export back, or, if somebody needs it, run `npm run check -- --only surface --update-surface` and commit api/.',
  async run({ root, updateSurface }) {
    const names = (await readdir(join(root, 'packages'))).sort();
    const now = await exportsOf(
      root,
      names.map((name) => `packages/${name}`),
    );
    now.set('packages/methods', methodSurface());
    await mkdir(join(root, FOLDER), { recursive: true });
    if (updateSurface) {
      for (const [folder, text] of now) await writeFile(fileOf(root, folder), text);
    }
    const problems: string[] = [];
    for (const [folder, text] of now) {
      const committed = await readFile(fileOf(root, folder), 'utf8').catch(() => '');
      problems.push(...differences(folder, committed, text));
    }
    const files = new Set([...now.keys()].map((folder) => fileOf(root, folder)));
    for (const name of await readdir(join(root, FOLDER))) {
      if (!files.has(join(root, FOLDER, name)))
        problems.push(`${FOLDER}/${name} belongs to no package; remove it`);
    }
    return resultOf(problems, `${now.size - 1} packages and the client service`);
  },
};

function fileOf(root: string, folder: string): string {
  return join(root, FOLDER, `${folder.slice('packages/'.length)}.txt`);
}

function differences(folder: string, committed: string, now: string): string[] {
  const before = new Set(committed.split('\n'));
  const after = new Set(now.split('\n'));
  return [
    ...[...after].filter((line) => !before.has(line)).map((line) => `${folder} shows more: ${line}`),
    ...[...before].filter((line) => !after.has(line)).map((line) => `${folder} no longer shows: ${line}`),
  ];
}
