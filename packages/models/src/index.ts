export {
  describeProvider,
  knownModels,
  type ModelFacts,
  modelFacts,
  type ProviderDescription,
} from './catalogue/describe-provider.ts';
export { LARGE_ANSWER, outputLimitOf, SMALL_ANSWER } from './catalogue/output-limit.ts';
export { createModelClient, type ModelClientOptions } from './create-model-client.ts';
export {
  createEmbeddingClient,
  type EmbeddingClient,
  type EmbeddingClientOptions,
} from './embeddings/create-embedding-client.ts';
export { ALL_KEY_NAMES, KEY_OF_ADDRESS, keyNameOf } from './key-names.ts';
export type { KeySources, ModelSettings, ModelTimeLimits } from './model-settings.ts';
export { parseModelName } from './parse-model-name.ts';
export { costOf } from './prices/cost-of.ts';
export { estimateInputTokens } from './prices/estimate-input-tokens.ts';
export { estimateTokens } from './prices/estimate-tokens.ts';
export { type ProviderFacts, providerFacts } from './provider-facts.ts';
export { KNOWN_PROVIDERS } from './provider-table.ts';
export type { ThinkingLevel } from './thinking.ts';
export { createTokenCounter, type TokenCounter, VOCABULARY } from './tokens/token-counter.ts';
