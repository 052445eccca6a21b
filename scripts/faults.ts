/*
 * `npm run faults -- [--rows V1,V4] [--scale N] [--command FILE] [--output FILE] [--soak MINUTES]`:
 * tries the faults of docs/faults.md from outside, row by row, on this build or another one's
 * command, and prints the results. Exit code 1 if a row failed.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ROWS } from '../e2e/outside/all-rows.ts';
import { type SoakSample, soak } from '../e2e/outside/rows/load.ts';
import { TaskModel } from '../e2e/outside/task-model.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string' },
    scale: { type: 'string', default: '1' },
    command: { type: 'string', default: fileURLToPath(new URL('../bulkhead', import.meta.url)) },
    output: { type: 'string' },
    soak: { type: 'string' },
  },
});
const wanted = values.rows?.split(',');
const found: object[] = [];
let broken = 0;
await using model = await TaskModel.serve();
for (const row of ROWS.filter(({ id }) => (wanted ?? [id]).includes(id) && values.soak === undefined)) {
  const problem = row.problem?.();
  const say = (text: string): void => void process.stderr.write(`${row.id}: ${text}\n`);
  if (problem !== undefined) {
    process.stdout.write(`${row.id}  not tried: ${problem}\n`);
    continue;
  }
  const result = await row
    .run({ command: values.command, model, scale: Number(values.scale), say })
    .catch((error: unknown) => ({ violations: [`the row failed: ${String(error)}`], figures: {} }));
  broken += result.violations.length > 0 ? 1 : 0;
  found.push({ id: row.id, fault: row.fault, ...result });
  process.stdout.write(
    `${row.id}  ${row.fault}: ${result.violations.length === 0 ? 'holds' : 'BROKEN'}  ${JSON.stringify(result.figures)}\n`,
  );
  for (const violation of result.violations.slice(0, 10)) process.stdout.write(`      ${violation}\n`);
}
if (values.soak !== undefined) {
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  const samples = await soak({ command: values.command, model, scale: 1, say }, Number(values.soak));
  found.push({ soak: samples });
  process.stdout.write(`${JSON.stringify(slopes(samples))}\n`);
}
if (values.output !== undefined) writeFileSync(values.output, JSON.stringify(found, undefined, 2));
process.exitCode = broken > 0 ? 1 : 0;

/** Growth per minute over the second half, by least squares: the first half warms up. */
function slopes(samples: readonly SoakSample[]): Readonly<Record<string, number>> {
  const half = samples.slice(Math.floor(samples.length / 2));
  const minutes = half.map(({ seconds }) => seconds / 60);
  const middle = minutes.reduce((sum, one) => sum + one, 0) / Math.max(1, minutes.length);
  const spread = minutes.reduce((sum, one) => sum + (one - middle) ** 2, 0);
  const of = (key: keyof SoakSample): number => {
    const rise = half.reduce((sum, sample, index) => sum + ((minutes[index] ?? 0) - middle) * sample[key], 0);
    return Math.round((rise / spread) * 100) / 100;
  };
  return {
    memoryMBPerMinute: of('memoryMB'),
    descriptorsPerMinute: of('descriptors'),
    diskKBPerMinute: of('diskKB'),
  };
}
