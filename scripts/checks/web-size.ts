import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Check } from './check.ts';
import { resultOf } from './result.ts';

/** Size limit of everything a browser may read of the web UI, gzipped, in bytes. */
const BUDGET = 150_000;

/** The web UI stays small. Needs a build. */
export const webSize: Check = {
  name: 'web-size',
  mend: `Leave out what is not needed, or draw it by hand: the web UI has ${BUDGET / 1000} kB.`,
  async run({ root }) {
    const build: { files?: string[] } = JSON.parse(await readFile(join(root, 'dist/build.json'), 'utf8'));
    const page = await readFile(join(root, 'dist/web/index.html'), 'utf8').catch(() => '');
    let all = 0;
    let first = 0;
    for (const path of (build.files ?? []).filter((file) => file.startsWith('web/'))) {
      const size = gzipSync(await readFile(join(root, 'dist', path))).length;
      all += size;
      if (path === 'web/index.html' || page.includes(path.slice('web'.length))) first += size;
    }
    const note = `${kilobytes(all)} gzipped, ${kilobytes(first)} before the first page`;
    if (all === 0) return resultOf(['the build holds no web UI: run `npm run build`']);
    return resultOf(all > BUDGET ? [`the web UI has ${note}; its budget is ${kilobytes(BUDGET)}`] : [], note);
  },
};

function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1000)} kB`;
}
