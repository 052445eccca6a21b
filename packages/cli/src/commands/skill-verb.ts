import type { EngineClient } from '@bulkhead/client';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import { confirm } from '../conversation/confirm.ts';
import { type Environment, hasPerson } from '../environment.ts';
import type { Output } from '../output/output.ts';

/** The context of a verb of `bulkhead skill`. */
export interface SkillCall {
  readonly client: EngineClient;
  /** As given; empty for a verb without arguments. */
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
export type SkillVerb = (call: SkillCall) => Promise<number>;

/**
 * A person's approval of content with one hash. `--yes` requires that exact hash; if no one can be
 * asked, it is the only way.
 */
export async function confirmed(call: SkillCall, question: string, hash: string): Promise<boolean> {
  const { args, environment, stderr } = call;
  const given = args.value('hash');
  if (given !== undefined && given !== hash) {
    stderr.line(`--hash is not its hash ${hash}`);
    return false;
  }
  if (args.flag('yes') && given === hash) return true;
  if (args.flag('yes')) {
    stderr.line('--yes needs --hash with the hash that you reviewed');
    return false;
  }
  if (args.flag('json') || !hasPerson(environment)) {
    stderr.line('there is no terminal to ask on: add --yes and --hash HASH');
    return false;
  }
  return await confirm(environment, question);
}
