import type { EngineClient } from '@bulkhead/client';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import { verbUsageError } from '../arguments/verb-table.ts';
import type { Environment } from '../environment.ts';
import type { Output } from '../output/output.ts';

/** The context of a verb of `bulkhead sessions`. */
export interface SessionsCall {
  readonly client: EngineClient;
  /** One value per name in the verb's usage; the text at its end is one word. */
  readonly words: readonly string[];
  readonly args: ParsedArguments;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly environment: Environment;
}

/**
 * @returns the exit code
 * @throws BulkheadError shown to the person in one line
 */
export type SessionsVerb = (call: SessionsCall) => Promise<number>;

/** @throws BulkheadError `usage` unless `--limit` is a whole number from 1 */
export function limitOf(args: ParsedArguments, standard: number): number {
  const value = args.value('limit');
  if (value === undefined) return standard;
  const limit = /^\d{1,6}$/.test(value) ? Number(value) : 0;
  if (limit > 0) return limit;
  throw verbUsageError('sessions', `--limit is a whole number from 1, not "${value}"`);
}
