import type { EngineClient } from '@bulkhead/client';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import { confirm } from '../conversation/confirm.ts';
import { wholeSessionId } from '../conversation/find-session.ts';
import { type Environment, hasPerson } from '../environment.ts';
import type { Output } from '../output/output.ts';

/** The context of a verb of `bulkhead ifc`. */
export interface IfcCall {
  readonly client: EngineClient;
  /** The action or value, as given; empty for a verb without arguments. */
  readonly word: string;
  readonly args: ParsedArguments;
  readonly environment: Environment;
  readonly stdout: Output;
  readonly stderr: Output;
}

/**
 * @returns the exit code
 * @throws BulkheadError shown to the person in one line
 */
export type IfcVerb = (call: IfcCall) => Promise<number>;

/** The whole id of `--session ID`; empty without it. */
export async function sessionOption({ client, args }: IfcCall): Promise<string> {
  const given = args.value('session');
  return given === undefined ? '' : await wholeSessionId(client, given);
}

/** A person's approval: `--yes`, or typed at a terminal. With `--json` there is no question. */
export async function confirmed({ args, environment, stderr }: IfcCall, question: string): Promise<boolean> {
  if (args.flag('yes')) return true;
  if (args.flag('json') || !hasPerson(environment)) {
    stderr.line('there is no terminal to ask on: add --yes to confirm');
    return false;
  }
  return await confirm(environment, question);
}
