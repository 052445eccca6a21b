import type { Output } from '../output/output.ts';

/** Explains once how the following run differs. */
export function tellMode(
  mode: { readonly offTheRecord: boolean; readonly dryRun: boolean },
  stderr: Output,
): void {
  if (mode.offTheRecord) {
    stderr.line(
      'off the record: tools can only read, no message is written to disk, and the session ends with the engine',
    );
  }
  if (mode.dryRun) stderr.line('dry run: changes are described but not made');
}
