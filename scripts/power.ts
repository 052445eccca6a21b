/*
 * `npm run power -- [--only first|work|cut] [--count N] [--samples N] [--seed N] [--seconds N]
 * [--json]`: loses power under a running product, restarts it on the remaining data, and compares
 * that with the data that clients received (docs/proof.md). Without `--count`, tests every state of
 * the records, and 60 cuts of a real file system. Exit code 1 after any violation.
 */
import { parseArgs } from 'node:util';
import { losePower, type PowerLoss, type PowerPlan, powerObstacle } from '../e2e/power/lose-power.ts';

const KINDS = ['first', 'work', 'cut'] as const;
const CUTS = 60;
const WHOLE = 0;
const DAY_SECONDS = 86_400;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    count: { type: 'string' },
    samples: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: String(DAY_SECONDS) },
    json: { type: 'boolean', default: false },
  },
});

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function show({ place, violations }: PowerLoss): void {
  if (values.json || violations.length === 0) return;
  say(`\n${place}`);
  for (const violation of violations.slice(0, 8)) say(`  ${violation}`);
}

function planOf(kind: PowerPlan['kind']): PowerPlan {
  const whole = kind === 'cut' ? CUTS : WHOLE;
  return {
    kind,
    seed: Number(values.seed),
    count: Number(values.count ?? whole),
    samples: Number(values.samples),
    undoShare: 0.2,
    maxSeconds: Number(values.seconds),
    atLeast: 1,
  };
}

const obstacle = powerObstacle();
if (obstacle !== undefined) {
  say(`Power can't be lost here: ${obstacle}. Nothing is proved.`);
  process.exit(1);
}
const kinds = KINDS.filter((kind) => values.only === undefined || values.only === kind);
if (kinds.length === 0) {
  say(`There is no kind ${values.only}. There are: ${KINDS.join(', ')}.`);
  process.exit(2);
}
for (const kind of kinds) {
  const started = performance.now();
  const { operations, states, losses } = await losePower(planOf(kind), show);
  const violated = losses.filter(({ violations }) => violations.length > 0).length;
  const retold = losses.filter((loss) => loss.retold.length > 0).length;
  const seconds = Math.round((performance.now() - started) / 1_000);
  const summary = { kind, operations, states, losses: losses.length, violated, retold, seconds };
  say(
    values.json
      ? JSON.stringify({ ...summary, violations: losses.filter((one) => one.violations.length > 0) })
      : `\n${kind}: ${losses.length} losses of power (${operations} recorded operations, ${states} different disks), ${violated} with violations, ${retold} with events told anew; ${seconds} s`,
  );
  if (violated > 0) process.exitCode = 1;
}
