import { type ConfigChange, changeConfig, checkHome } from '@bulkhead/engine/offline/config';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import { nearest } from '../arguments/nearest.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import { engineRuns } from '../engine-runs.ts';
import type { Environment } from '../environment.ts';
import { homeOf } from '../home.ts';
import { Output } from '../output/output.ts';
import { checkKey } from './config-key.ts';

/** `config set KEY VALUE [KEY VALUE …]` */
export async function setSettings(
  words: readonly string[],
  args: ParsedArguments,
  environment: Environment,
): Promise<void> {
  words.filter((_, place) => place % 2 === 0).forEach(refuseEquals);
  if (words.length === 0 || words.length % 2 !== 0) {
    throw usage(
      '`config set` needs a key and a value for each',
      "Quote a value with spaces: bulkhead config set models.chat '{ provider: offline, model: rules }'",
    );
  }
  const changes: ConfigChange[] = [];
  for (let place = 0; place < words.length; place += 2) {
    const [key = '', value = ''] = words.slice(place, place + 2);
    checkKey(key);
    changes.push({ key, value });
  }
  await change(changes, 'set', args.flag('json'), environment);
}

/** The text after the sign may be a secret and is not repeated. */
function refuseEquals(word: string): void {
  const [key = '', ...rest] = word.split('=');
  if (rest.length === 0) return;
  checkKey(key);
  throw usage(`use a space instead of = after ${key}`, `Write: bulkhead config set ${key} VALUE`);
}

/** `config unset KEY` */
export async function unsetSetting(
  words: readonly string[],
  args: ParsedArguments,
  environment: Environment,
): Promise<void> {
  const [key, ...more] = words;
  if (key === undefined || more.length > 0) throw usage('`config unset` needs one key');
  checkKey(key);
  await change([{ key }], 'unset', args.flag('json'), environment);
}

async function change(
  changes: readonly ConfigChange[],
  verb: 'set' | 'unset',
  json: boolean,
  environment: Environment,
): Promise<void> {
  const layout = homeOf(environment);
  checkHome(layout, environment.env);
  const warning = await policyWarning(layout, changes);
  const changed = changeConfig(layout, changes);
  const stdout = new Output(environment.stdout, environment.env);
  const named = changes.map(({ key }) => key);
  const keys = stdout.safe(named.join(', '));
  if (json) stdout.own(`${JSON.stringify({ changed, keys: named, file: layout.config })}\n`);
  else
    stdout.line(changed ? `${verb} ${keys} in ${layout.config}` : `${layout.config} already has this value`);
  if (warning !== undefined) {
    new Output(environment.stderr, environment.env).line(warning);
    return;
  }
  if (changed && (await engineRuns(layout))) {
    environment.stderr.write('`bulkhead restart` applies the change to the running engine.\n');
  }
}

/**
 * A policy may be named before its file is written; otherwise only the next start would find a
 * typing error.
 */
async function policyWarning(
  layout: HomeLayout,
  changes: readonly ConfigChange[],
): Promise<string | undefined> {
  const name = changes.findLast(({ key }) => key === 'policy')?.value;
  if (name === undefined) return undefined;
  const { listPolicies } = await import('@bulkhead/engine/offline/policy');
  const known = listPolicies(layout).flatMap((row) => (row.problem === undefined ? [row.name] : []));
  if (known.includes(name)) return undefined;
  const near = nearest(name, known);
  const hint = near === undefined ? '' : ` (did you mean ${near}?)`;
  return `There is no policy "${name}"${hint}: the engine does not start with it. See \`bulkhead policy list\`.`;
}

function usage(message: string, fix = 'See `bulkhead config --help`.'): BulkheadError {
  return new BulkheadError('usage', message, { fix });
}
