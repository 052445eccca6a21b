import { BulkheadError } from '@bulkhead/protocol';
import * as z from 'zod';
import type { Check } from './check.ts';

/** A row without an explicit success is a failure. */
const reportSchema = z.looseObject({
  checks: z
    .array(
      z.looseObject({
        name: z.string().catch(''),
        state: z.enum(['ok', 'warn', 'bad']).catch('bad'),
        detail: z.string().catch(''),
        fix: z.string().catch(''),
      }),
    )
    .min(1),
});

/** @throws BulkheadError if it isn't a report: absence of checks is never success */
export function readReport(text: string): readonly Check[] {
  try {
    const { checks } = reportSchema.parse(JSON.parse(text));
    return checks.map(({ name, state, detail, fix }) => ({ name, state, detail, fix }));
  } catch (cause) {
    throw noReport(cause);
  }
}

export function noReport(cause: unknown): BulkheadError {
  return new BulkheadError('internal', 'the checks gave no report', {
    fix: 'Build again with `npm run build`.',
    cause,
  });
}
