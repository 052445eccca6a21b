import type { TestModelResponse } from '@bulkhead/protocol/client';
import type { Output } from '../output/output.ts';

/** The result of a connection test, in a line or two. */
export function tellTest(result: TestModelResponse, output: Output): void {
  const { green, red } = output.palette;
  const model = output.safeLine(result.model);
  if (result.ok) {
    output.line(`${green('ok')}  ${model} answered after ${result.milliseconds} ms`);
    return;
  }
  output.line(`${red('FAILED')}  ${output.safeLine(result.problem)}`);
  if (result.fix !== '') output.line(`  ${output.safeLine(result.fix)}`);
}
