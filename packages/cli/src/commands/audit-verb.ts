import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Environment } from '../environment.ts';
import type { Output } from '../output/output.ts';

export interface AuditCall {
  /** Folder of the log. */
  readonly folder: string;
  /** The arguments after the verb. */
  readonly words: readonly string[];
  readonly args: ParsedArguments;
  readonly stdout: Output;
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

/** A word after `bulkhead audit`. @returns the exit code */
export type AuditVerb = (call: AuditCall) => Promise<number>;
