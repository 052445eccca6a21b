import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Environment } from '../environment.ts';
import type { Output } from '../output/output.ts';

/** The arguments of a verb of `bulkhead profile`. */
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
