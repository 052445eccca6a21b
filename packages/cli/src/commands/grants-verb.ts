import type { EngineClient } from '@bulkhead/client';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Environment } from '../environment.ts';
import type { Output } from '../output/output.ts';

/** A verb of `bulkhead grants`, returning the exit code. */
export type GrantsVerb = (call: GrantsCall) => Promise<number>;

export interface GrantsCall {
  readonly client: EngineClient;
  readonly environment: Environment;
  readonly words: readonly string[];
  readonly args: ParsedArguments;
  readonly stdout: Output;
  readonly signal: AbortSignal;
}
