import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { crc32 } from 'node:zlib';
import { loadMutant } from './load-mutant.ts';
import { mutants } from './mutants.ts';

/*
 * Simulates seeds one after the other, in a separate process. Each line on stdout is one JSON
 * object: every failing seed whole, and the number of seeds done, now and then and at the end.
 */
const { values } = parseArgs({
  options: {
    from: { type: 'string', default: '1' },
    count: { type: 'string', default: '100' },
    /** Every n-th seed from the first. */
    stride: { type: 'string', default: '1' },
    mutant: { type: 'string', default: '' },
    trace: { type: 'string', default: '60' },
    /** End at the first seed that fails. */
    first: { type: 'boolean', default: false },
  },
});

if (values.mutant !== '') {
  const mutant = mutants[values.mutant];
  if (mutant === undefined)
    throw new Error(`there is no mutant ${values.mutant}: ${Object.keys(mutants).join(', ')}`);
  loadMutant(mutant, dirname(dirname(import.meta.dirname)));
}
const { simulate } = await import('./simulation.ts');

const COUNTS = ['steps', 'lives', 'messages', 'executions', 'filesLeftOpen', 'filesFoundOut'] as const;
const totals = {
  done: 0,
  failed: 0,
  steps: 0,
  lives: 0,
  messages: 0,
  executions: 0,
  filesLeftOpen: 0,
  filesFoundOut: 0,
  /** Of all seeds so far: the same for the same seeds. */
  digest: 0,
};
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const last = Number(values.from) + Number(values.count) * Number(values.stride);

for (let seed = Number(values.from); seed < last; seed += Number(values.stride)) {
  const result = await simulate(seed, Number(values.trace));
  totals.done += 1;
  for (const name of COUNTS) totals[name] += result[name];
  totals.digest = crc32(result.digest, totals.digest);
  if (result.violations.length > 0) {
    totals.failed += 1;
    say({ failure: result });
    if (values.first) break;
  }
  if (totals.done % 50 === 0) say({ totals });
}
say({ totals });
