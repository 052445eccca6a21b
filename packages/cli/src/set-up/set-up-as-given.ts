import type { EngineLink } from '@bulkhead/client';
import { BulkheadError } from '@bulkhead/protocol';
import type { ReadSettingsResponse } from '@bulkhead/protocol/client';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import { readSecretFrom } from '../arguments/read-secret.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { Output } from '../output/output.ts';
import { tellTest } from './tell-test.ts';
import { configuredModel, type Trial } from './trial.ts';

/**
 * `bulkhead init` without questions: the options decide, and the configuration supplies the rest.
 */
export async function setUpAsGiven(
  link: EngineLink,
  args: ParsedArguments,
  environment: Environment,
  stop: AbortSignal,
): Promise<number> {
  const stdout = new Output(environment.stdout, environment.env);
  const stderr = new Output(environment.stderr, environment.env);
  const settings = await link.repeat((client) => client.call('readSettings', {}, stop), stop);
  const key = args.flag('key-stdin') ? await readSecretFrom(environment.stdin) : '';
  const trial = { ...trialOf(args, settings), key };
  const tested = args.flag('no-test')
    ? undefined
    : await link.once((client) => client.call('testModel', { trial }, stop));
  if (tested !== undefined && !args.flag('json')) tellTest(tested, stderr);
  if (tested?.ok === false) {
    const { model, errorCode: code, problem, fix } = tested;
    if (args.flag('json')) stdout.own(`${JSON.stringify({ ok: false, model, code, problem, fix })}\n`);
    else stderr.line('nothing was changed; --no-test saves anyway');
    return EXIT.provider;
  }
  const { model, changed, keyName } = await link.once((client) => client.call('setUpModel', { trial }, stop));
  const facts = { ok: true, model, changed, ...(keyName === '' ? {} : { key: keyName }) };
  const took = tested === undefined ? {} : { milliseconds: tested.milliseconds };
  if (args.flag('json')) stdout.own(`${JSON.stringify({ ...facts, ...took })}\n`);
  else stdout.line(`${stdout.safeLine(model)} answers from now on`);
  return EXIT.completed;
}

function trialOf(args: ParsedArguments, { settings }: ReadSettingsResponse): Omit<Trial, 'key'> {
  const configured = configuredModel(settings);
  const name = args.value('model');
  if (name === undefined) {
    if (configured !== undefined)
      return { ...configured, baseUrl: args.value('base-url') ?? configured.baseUrl };
    throw new BulkheadError('usage', 'no model is configured, and none was given', {
      fix: 'Name one: bulkhead init --model PROVIDER/MODEL.',
    });
  }
  const slash = name.indexOf('/');
  const [provider, model] = [name.slice(0, Math.max(slash, 0)), name.slice(slash + 1)];
  if (provider === '' || model === '') {
    throw new BulkheadError('usage', `"${name}" is not a name like anthropic/claude-sonnet-5-5`, {
      fix: 'Write PROVIDER/MODEL; docs/configuration.md lists the providers.',
    });
  }
  const kept = configured?.provider === provider ? configured.baseUrl : '';
  return { provider, model, baseUrl: args.value('base-url') ?? kept };
}
