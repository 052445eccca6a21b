/*
 * A launching process with something to lose: canaries in its environment, arguments and memory.
 * Attacks boxes, with or without one of their walls, and prints the result as one line of JSON.
 * `npm run attack` starts it.
 */
import { parseArgs } from 'node:util';
import { boxKinds } from './attempt.ts';
import { shellViews } from './launch-on-view.ts';
import { runAttacks } from './run-attacks.ts';

const { values } = parseArgs({
  options: {
    box: { type: 'string', multiple: true },
    without: { type: 'string', multiple: true, default: [] },
    bare: { type: 'boolean', default: false },
    view: { type: 'string', default: 'live' },
    'package-root': { type: 'string' },
    /** The canary: it is visible in /proc/PID/cmdline. */
    secret: { type: 'string' },
  },
});
const { secret, 'package-root': packageRoot } = values;
if (secret === undefined || process.env['BULKHEAD_CANARY'] !== secret || packageRoot === undefined) {
  throw new Error('Start this with `npm run attack`: it needs a canary in its environment and its arguments');
}
const report = await runAttacks({
  packageRoot,
  canary: secret,
  boxes: boxKinds.filter((kind) => values.box === undefined || values.box.includes(kind)),
  nameSpaces: !values.bare,
  view: shellViews.find((view) => view === values.view) ?? 'live',
  without: values.without,
});
process.stdout.write(`${JSON.stringify(report)}\n`);
