/*
 * `npm run attack -- [--box agent|worker|shell]... [--without WALL|all]...
 * [--view live|overlay|copy] [--json]`: attacks every box from inside, with
 * listeners, canaries and the host's own /proc as witnesses (docs/attacks.md). `--without` builds the launcher with one
 * wall missing and sees whether the attacks notice. Exit code 1 if anything got through or went unnoticed.
 */
import { parseArgs } from 'node:util';
import { packageRoot } from '@bulkhead/sandbox/testing';
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
