import { BulkheadError } from '@bulkhead/protocol';
import type { ProviderOffer, ReadSettingsResponse } from '@bulkhead/protocol/client';
import { askHidden } from '../conversation/ask-hidden.ts';
import { askOnTerminal } from '../conversation/ask-on-terminal.ts';
import type { Environment } from '../environment.ts';
import { Output } from '../output/output.ts';
import type { Trial } from './trial.ts';

/** How often a required question is repeated. */
const TRIES = 3;

interface Questions {
  readonly environment: Environment;
  readonly settings: ReadSettingsResponse;
  /** Earlier answers or configured values: the defaults. */
  readonly before: Omit<Trial, 'key'> | undefined;
}

/** @throws BulkheadError `usage` if a required question has no answer; `cancelled` */
export async function askTrial(questions: Questions, stop: AbortSignal): Promise<Trial> {
  const { settings, before } = questions;
  const provider = await askProvider(questions, stop);
  const known = before?.provider === provider.name ? before : undefined;
  const needsAddress = provider.baseUrl === '' && provider.name !== 'offline';
  const isElsewhere = known !== undefined && known.baseUrl !== '';
  const baseUrl =
    needsAddress || isElsewhere
      ? await ask(questions, 'Address of the API, as http://127.0.0.1:8080/v1', known?.baseUrl ?? '', stop)
      : '';
  const key = await askKey(questions.environment, provider, baseUrl, settings.secretPlace);
  const model = await ask(questions, 'Model', known?.model ?? provider.suggestedModel, stop);
  return { provider: provider.name, model, baseUrl, key };
}

async function askProvider(
  { environment, settings, before }: Questions,
  stop: AbortSignal,
): Promise<ProviderOffer> {
  const { providers } = settings;
  const stderr = new Output(environment.stderr, environment.env);
  const usual =
    providers.find(({ name }) => name === before?.provider) ??
    providers.find(({ keySource }) => keySource !== '') ??
    providers[0];
  stderr.line('Which provider?');
  providers.forEach((provider, at) => {
    stderr.line(`  ${at + 1}  ${provider.name}${noteOf(provider)}`);
  });
  for (let tries = 0; tries < TRIES; tries += 1) {
    const answer = (await askOnTerminal(environment)(`Number or name [${usual?.name}]: `, stop)).trim();
    const found =
      answer === '' ? usual : providers.find(({ name }, at) => name === answer || `${at + 1}` === answer);
    if (found !== undefined) return found;
    stderr.line('That is not in the list.');
  }
  throw unanswered('the provider');
}

function noteOf({ keySource, keyName, key, name }: ProviderOffer): string {
  if (keySource !== '') return `  (has a key: ${keyName})`;
  if (name === 'offline') return '  (no model: rules for plain requests)';
  return key === 'none' ? '  (needs no key)' : '';
}

async function ask(
  { environment }: Questions,
  question: string,
  usual: string,
  stop: AbortSignal,
): Promise<string> {
  const shown =
    usual === ''
      ? question
      : `${question} [${new Output(environment.stderr, environment.env).safeLine(usual)}]`;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const answer = (await askOnTerminal(environment)(`${shown}: `, stop)).trim() || usual;
    if (answer !== '') return answer;
  }
  throw unanswered(question);
}

/** Enter keeps an existing key of the provider's own address. */
async function askKey(
  environment: Environment,
  { name, key, keyName, keySource }: ProviderOffer,
  baseUrl: string,
  place: string,
): Promise<string> {
  const isUsual = baseUrl === '';
  if (name === 'offline' || (key === 'none' && isUsual) || (isUsual && keySource === 'environment'))
    return '';
  const kept =
    isUsual && keySource === 'stored'
      ? `Enter keeps ${keyName} of ${place}`
      : 'Enter for none, or the one stored for this address';
  const needs = isUsual && keySource === '' && key === 'required';
  const answer = (await askHidden(`Key (not shown${needs ? '' : `; ${kept}`}): `, environment)).trim();
  if (answer !== '' || !needs) return answer;
  new Output(environment.stderr, environment.env).line(
    `${name} needs a key. Paste it (nothing is shown), or press Enter again to go on without one.`,
  );
  return (await askHidden('Key (not shown): ', environment)).trim();
}

function unanswered(what: string): BulkheadError {
  return new BulkheadError('usage', `no answer was given: ${what}`, {
    fix: 'Nothing was changed. Run it again: bulkhead init',
  });
}
