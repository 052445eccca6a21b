import type { ModelRole } from '@bulkhead/home/config/config-schema';
import { knownModels, type ModelFacts, modelFacts, type ProviderDescription } from '@bulkhead/models';

/**
 * Why a model is in the list: settings name it, a local server has it, its name is known, or it
 * answered before.
 */
type ModelOrigin = 'configured' | 'local' | 'known' | 'used';

export interface ListedModel extends ModelFacts {
  /** `provider/model` */
  readonly name: string;
  /** As far as known without a request, its provider can be used. */
  readonly usable: boolean;
  readonly origin: ModelOrigin;
}

/**
 * All known models, without duplicates: usable ones first, then by provider, configured ones first.
 * Sends no request.
 *
 * @param parts.local names of an Ollama's models, without the provider
 * @param parts.used `provider/model`
 */
export function listModels(parts: {
  readonly providers: readonly Pick<ProviderDescription, 'name' | 'problem'>[];
  readonly configured: readonly ModelRole[];
  readonly local: readonly string[];
  readonly used: readonly string[];
}): readonly ListedModel[] {
  const { providers, configured, local, used } = parts;
  const listed = providers.flatMap(({ name: provider, problem }): ListedModel[] => {
    const named = (origin: ModelOrigin, models: readonly string[]) =>
      models.map((model) => ({ model, origin }));
    const all = [
      ...named(
        'configured',
        configured.filter((role) => role.provider === provider).map(({ model }) => model),
      ),
      ...named('local', provider === 'ollama' ? local : []),
      ...named('known', knownModels(provider)),
      ...named('used', modelsOf(provider, used)),
    ];
    const first = new Map(all.toReversed().map((one) => [one.model, one.origin]));
    return [...new Set(all.map(({ model }) => model))].map((model) => {
      const role = configured.find((one) => one.provider === provider && one.model === model);
      const facts = modelFacts(provider, model, role?.contextWindow);
      return {
        name: `${provider}/${model}`,
        usable: problem === undefined,
        origin: first.get(model) ?? 'known',
        ...facts,
        ...(role?.price === undefined ? {} : { price: priceOf(role.price) }),
      };
    });
  });
  return [...listed.filter(({ usable }) => usable), ...listed.filter(({ usable }) => !usable)];
}

function modelsOf(provider: string, names: readonly string[]): readonly string[] {
  const start = `${provider}/`;
  return names.filter((name) => name.startsWith(start)).map((name) => name.slice(start.length));
}

function priceOf({ input, output, cachedInput }: NonNullable<ModelRole['price']>): ModelFacts['price'] {
  return { input, output, cachedInput: cachedInput ?? input };
}
