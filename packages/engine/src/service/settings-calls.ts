import { create } from '@bufbuild/protobuf';
import { findConfigKey } from '@bulkhead/home/config/config-keys';
import type { EffectiveSetting } from '@bulkhead/home/config/effective-settings';
import { KNOWN_PROVIDERS, providerFacts } from '@bulkhead/models';
import { suggestedModelOf } from '@bulkhead/processes/models/suggested-model';
import type { BulkheadError } from '@bulkhead/protocol';
import {
  type ClientService,
  type ModelTrial,
  type ProviderOffer,
  ProviderOfferSchema,
  SettingSchema,
} from '@bulkhead/protocol/client';
import type { ServiceImpl } from '@connectrpc/connect';
import { isChangeable } from '../settings/changeable-keys.ts';
import type { KeyPlace, ModelSetUp } from '../settings/model-set-up.ts';
import type { SettingsServices } from '../settings/open-settings.ts';

/** Calls that show and change the settings. No answer contains a secret. */
export function settingsCalls(
  { settings: service, model: modelSetUp }: SettingsServices,
  redact: (text: string) => string,
) {
  return {
    readSettings: () => ({
      settings: service.settings().map((setting) => settingView(setting, redact)),
      providers: providersOf(modelSetUp),
      file: service.path,
      waiting: [...service.waiting()],
      secretPlace: modelSetUp.secretPlace,
    }),
    changeSettings: async ({ changes }) => {
      const changed = await service.change(
        changes.map(({ key, value }) => (value === undefined ? { key } : { key, value })),
      );
      return { changed, waiting: [...service.waiting()] };
    },
    testModel: async ({ trial }, { signal }) => {
      const result = await modelSetUp.test(trialOf(trial), signal);
      const { ok, milliseconds, plan, keyPlace } = result;
      const facts = { ok, milliseconds, model: nameOf(plan.role), keySource: keyPlace };
      if (result.ok) return facts;
      const { code, message } = result.error;
      return { ...facts, errorCode: code, problem: redact(message), fix: redact(fixOf(result)) };
    },
    setUpModel: async ({ trial }) => {
      const made = await modelSetUp.setUp(trialOf(trial));
      return { changed: made.changed, keyName: made.keyName, model: nameOf(trialOf(trial)) };
    },
  } satisfies Partial<ServiceImpl<typeof ClientService>>;
}

function trialOf(trial: ModelTrial | undefined) {
  const { provider = '', model = '', baseUrl = '', key = '' } = trial ?? {};
  return { provider, model: model.trim(), baseUrl, key };
}

/** The model's own message about a refused key refers to a stored one. */
function fixOf({ error, keyPlace }: { readonly error: BulkheadError; readonly keyPlace: KeyPlace }): string {
  const isRefused = error.code === 'auth' || error.code === 'auth_permanent';
  return isRefused && keyPlace === 'given'
    ? 'Check the key: is it whole, not withdrawn, and one of this provider?'
    : (error.fix ?? '');
}

function nameOf({ provider, model }: { readonly provider: string; readonly model: string }): string {
  return `${provider}/${model}`;
}

function settingView({ key, value, line, otherwise }: EffectiveSetting, redact: (text: string) => string) {
  const known = findConfigKey(key);
  return create(SettingSchema, {
    key,
    type: known?.type ?? 'string',
    description: known?.description ?? '',
    // For example a password in the address of a witness.
    valueJson: value === undefined ? '' : redact(JSON.stringify(value)),
    source: sourceOf(value, line),
    line: line ?? 0,
    otherwise: otherwise ?? '',
    choices: [...(known?.choices ?? [])],
    ...(known?.minimum === undefined ? {} : { minimum: known.minimum }),
    ...(known?.maximum === undefined ? {} : { maximum: known.maximum }),
    changeable: isChangeable(key),
  });
}

function sourceOf(value: unknown, line: number | undefined): 'file' | 'default' | 'not set' {
  if (line !== undefined) return 'file';
  return value === undefined ? 'not set' : 'default';
}

function providersOf(service: ModelSetUp): ProviderOffer[] {
  const facts = KNOWN_PROVIDERS.map((name) => ({ name, ...providerFacts(name) }));
  const places = service.keyPlaces(facts.flatMap(({ keyName }) => keyName ?? []));
  return facts.map(({ name, key = 'none', keyName = '', baseUrl = '' }) => {
    const place = places.get(keyName) ?? 'none';
    return create(ProviderOfferSchema, {
      name,
      key,
      keyName,
      keySource: place === 'none' ? '' : place,
      baseUrl,
      suggestedModel: suggestedModelOf(name) ?? '',
    });
  });
}
