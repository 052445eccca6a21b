import {
  listPolicies,
  type PolicyRow,
  policyJsonSchemaText,
  readNamedPolicy,
} from '@bulkhead/engine/offline/policy';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import { verbUsageError } from '../arguments/verb-table.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import { Output } from '../output/output.ts';

/** `policy list` */
export function listAll(
  words: readonly string[],
  args: ParsedArguments,
  environment: Environment,
): Promise<number> {
  if (words.length > 0) throw verbUsageError('policy', '`policy list` takes no arguments');
  const stdout = new Output(environment.stdout, environment.env);
  const rows = listPolicies(homeOf(environment));
  if (args.flag('json')) stdout.own(`${JSON.stringify(rows)}\n`);
  else for (const row of rows) stdout.line(lineOf(row, stdout));
  return Promise.resolve(EXIT.completed);
}

/** `policy show [NAME]` */
export function showPolicy(
  [name]: readonly string[],
  args: ParsedArguments,
  environment: Environment,
): Promise<number> {
  const stdout = new Output(environment.stdout, environment.env);
  const { policy, text, source } = readNamedPolicy(homeOf(environment), name, {
    preset: args.flag('preset'),
  });
  if (args.flag('json')) {
    const { name: own, digest, deny, answered, verify, allow } = policy;
    const names = (rules: readonly { readonly name: string }[]) => rules.map((rule) => rule.name);
    const lists = {
      deny: names(deny),
      answered: names(answered),
      verify: names(verify),
      allow: names(allow),
    };
    stdout.own(`${JSON.stringify({ name: own, source, version: digest, rules: lists, text })}\n`);
  } else stdout.own(stdout.safe(text));
  return Promise.resolve(EXIT.completed);
}

/** `policy schema` */
export function printSchema(
  _words: readonly string[],
  _args: ParsedArguments,
  environment: Environment,
): Promise<number> {
  new Output(environment.stdout, environment.env).own(policyJsonSchemaText());
  return Promise.resolve(EXIT.completed);
}

function lineOf({ name, state, rules, problem }: PolicyRow, stdout: Output): string {
  const { bold, red, dim } = stdout.palette;
  const shown = state === 'in force' ? bold(stdout.safeLine(name)) : stdout.safeLine(name);
  if (problem !== undefined) return `${shown}  ${state}  ${red(`not valid: ${stdout.safeLine(problem)}`)}`;
  if (rules === undefined) return `${shown}  ${dim(state)}`;
  return `${shown}  ${state}  ${rules.deny} deny, ${rules.verify} verify, ${rules.allow} allow`;
}
