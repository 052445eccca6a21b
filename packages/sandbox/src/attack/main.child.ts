/* What `npm run attack` runs; scripts/attack.ts tells its options. */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { boxKinds } from './attempt.ts';
import { shellViews } from './launch-on-view.ts';
import { allHeld, renderReport } from './render.ts';
import { startAttacks } from './start-attacks.ts';

const { values } = parseArgs({
  options: {
    box: { type: 'string', multiple: true, default: [] },
    without: { type: 'string', multiple: true, default: [] },
    bare: { type: 'boolean', default: false },
    view: { type: 'string', default: 'live' },
    json: { type: 'boolean', default: false },
  },
});
const unknown = values.box.filter((box) => !boxKinds.some((kind) => kind === box));
if (unknown.length > 0) {
  process.stderr.write(`There is no box ${unknown.join(', ')}. There are: ${boxKinds.join(', ')}\n`);
  process.exitCode = 2;
} else if (!shellViews.some((view) => view === values.view)) {
  process.stderr.write(`There is no view ${values.view}. There are: ${shellViews.join(', ')}\n`);
  process.exitCode = 2;
} else {
  const packageRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
  const report = await startAttacks([
    '--package-root',
    packageRoot,
    ...(values.bare ? ['--bare'] : []),
    ...['--view', values.view],
    ...values.box.flatMap((box) => ['--box', box]),
    ...values.without.flatMap((wall) => ['--without', wall]),
  ]);
  process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : renderReport(report));
  process.exitCode = allHeld(report) ? 0 : 1;
}
