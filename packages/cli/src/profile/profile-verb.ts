import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Environment } from '../environment.ts';
import type { Output } from '../output/output.ts';

/** What a verb of `bulkhead profile` is called with. */
export interface ProfileCall {
  /** Empty if none was given. */
  readonly word: string;
  readonly args: ParsedArguments;
  readonly environment: Environment;
  readonly stdout: Output;
  readonly stderr: Output;
}

/** @returns the exit code */
export type ProfileVerb = (call: ProfileCall) => Promise<number>;
