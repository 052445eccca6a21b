import type { EngineClient } from '@bulkhead/client';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Output } from '../output/output.ts';

interface TokenCall {
  readonly client: EngineClient;
  /** The arguments after the verb. */
  readonly words: readonly string[];
  readonly args: ParsedArguments;
  readonly stdout: Output;
  /**
   * Text for a person at the terminal, beside the output for the shell; undefined if no one reads
   * it.
   */
  readonly person: Output | undefined;
}

/** A word after `bulkhead token`. @returns the exit code */
export type TokenVerb = (call: TokenCall) => Promise<number>;
