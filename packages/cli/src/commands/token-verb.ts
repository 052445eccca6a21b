import type { EngineClient } from '@bulkhead/client';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Output } from '../output/output.ts';

interface TokenCall {
  readonly client: EngineClient;
  /** What follows the verb. */
  readonly words: readonly string[];
  readonly args: ParsedArguments;
  readonly stdout: Output;
  /** For a person at the terminal, beside what is printed for the shell; undefined if there is none. */
  readonly person: Output | undefined;
}

/** A word after `bulkhead token`. @returns the exit code */
export type TokenVerb = (call: TokenCall) => Promise<number>;
