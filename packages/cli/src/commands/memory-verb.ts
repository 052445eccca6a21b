import type { EngineClient } from '@bulkhead/client';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Environment } from '../environment.ts';
import type { Output } from '../output/output.ts';

/** The context of a verb of `bulkhead memory`. */
export interface MemoryCall {
  readonly client: EngineClient;
  /** As given, in order. */
  readonly words: readonly string[];
  readonly args: ParsedArguments;
  readonly environment: Environment;
  readonly stdout: Output;
  readonly stderr: Output;
}

/**
 * @returns the exit code
 * @throws BulkheadError shown to the person in one line
 */
export type MemoryVerb = (call: MemoryCall) => Promise<number>;
