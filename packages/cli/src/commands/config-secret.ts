import {
  checkedSecret,
  checkHome,
  checkSecretName,
  loadConfig,
  openSecretStore,
  type SecretStore,
} from '@bulkhead/engine/offline/config';
import { BulkheadError } from '@bulkhead/protocol';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import { readSecretFrom } from '../arguments/read-secret.ts';
import { askHidden } from '../conversation/ask-hidden.ts';
import { type Environment, hasPerson } from '../environment.ts';
import { homeOf } from '../home.ts';
import { Output } from '../output/output.ts';

/**
 * `config secret`, `config secret NAME [-]`, `config secret NAME --remove`. A value is never an
 * argument: arguments stay in the shell's history, and all users of the machine see them.
 */
export async function secret(
  words: readonly string[],
  args: ParsedArguments,
  environment: Environment,
): Promise<void> {
  const [name, from, ...more] = words;
  if (more.length > 0 || (from !== undefined && from !== '-')) {
    throw usage(
      'a secret on the command line would stay in the shell history',
      'Leave it out to be asked for it, or give - to read standard input. If the secret was real, replace it.',
    );
  }
  if (args.flag('remove') && (name === undefined || from !== undefined)) {
    throw usage('`config secret --remove` needs a name, and no value');
  }
  if (name !== undefined) checkSecretName(name);
  const layout = homeOf(environment);
  checkHome(layout, environment.env);
  const { store: kind } = loadConfig(layout.config).secrets;
  const store = openSecretStore({
    layout,
    store: kind,
    environment: environment.env,
    platform: process.platform,
  });
  const stdout = new Output(environment.stdout, environment.env);
  if (name === undefined) return list(store, args.flag('json'), stdout);
  const removes = args.flag('remove');
  if (removes) remove(store, name);
  else await put(store, name, from === '-', environment);
  tellDone({ name, stored: !removes, place: store.place }, args.flag('json'), stdout);
}

function tellDone(
  done: { readonly name: string; readonly stored: boolean; readonly place: string },
  json: boolean,
  stdout: Output,
): void {
  const { name, stored, place } = done;
  if (json) stdout.own(`${JSON.stringify(done)}\n`);
  else stdout.line(`${stored ? `stored ${name} in` : `removed ${name} from`} ${stdout.safe(place)}`);
}

function list(store: SecretStore, json: boolean, stdout: Output): void {
  const names = store.names();
  if (json) stdout.own(`${JSON.stringify(names)}\n`);
  else if (names.length === 0) stdout.line(`no secrets in ${stdout.safe(store.place)}`);
  else for (const name of names) stdout.line(stdout.safe(name));
}

function remove(store: SecretStore, name: string): void {
  if (!store.remove(name)) throw notThere(name, store);
}

function notThere(name: string, store: SecretStore): BulkheadError {
  return new BulkheadError('not_found', `there is no ${name} in ${store.place}`, {
    fix: '`bulkhead config secret` lists the stored names.',
  });
}

async function put(
  store: SecretStore,
  name: string,
  fromInput: boolean,
  environment: Environment,
): Promise<void> {
  const value = checkedSecret(
    fromInput ? await readSecretFrom(environment.stdin) : await ask(name, environment),
  );
  store.set(name, value);
  if ((environment.env[name] ?? '') !== '') {
    environment.stderr.write(`${name} is also set in the environment, which takes precedence.\n`);
  }
}

async function ask(name: string, environment: Environment): Promise<string> {
  if (hasPerson(environment)) return askHidden(`${name} (not shown): `, environment);
  throw usage(
    'there is no terminal to ask on',
    `Give the value on standard input: bulkhead config secret ${name} - < FILE`,
  );
}

function usage(message: string, fix = 'See `bulkhead config --help`.'): BulkheadError {
  return new BulkheadError('usage', message, { fix });
}
