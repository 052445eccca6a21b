import { spawn } from 'node:child_process';
import { BulkheadError } from '@bulkhead/protocol';
import * as z from 'zod';
import type { Check } from './check.ts';

const LIMIT_MS = 60_000;

/**
 * Checks an engine's needs in a separate process, so that a failure there neither harms nor blocks
 * the caller.
 *
 * @param parts.engine bundle of the engine
 * @param parts.environment of the checked engine: its `BULKHEAD_HOME`, its keys
 * @throws BulkheadError if there was no report within a minute: absence of checks is never
 *   success
 */
export async function runDoctor(parts: {
  readonly nodePath: string;
  readonly engine: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}): Promise<readonly Check[]> {
  const { nodePath, engine, environment, signal } = parts;
  const child = spawn(nodePath, [engine, 'doctor'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
    ...(signal === undefined ? {} : { signal }),
  });
  const chunks: Buffer[] = [];
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  const read = async () => {
    for await (const chunk of child.stdout) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks).toString('utf8');
  };
  try {
    return readReport(await Promise.race([read(), failed]));
  } catch (cause) {
    throw noReport(cause);
  }
}

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
function readReport(text: string): readonly Check[] {
  try {
    const { checks } = reportSchema.parse(JSON.parse(text));
    return checks.map(({ name, state, detail, fix }) => ({ name, state, detail, fix }));
  } catch (cause) {
    throw noReport(cause);
  }
}

function noReport(cause: unknown): BulkheadError {
  return new BulkheadError('internal', 'the checks gave no report', {
    fix: 'Build again with `npm run build`.',
    cause,
  });
}
