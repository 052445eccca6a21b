export { createModelClient, type ModelClientOptions } from './create-model-client.ts';
export type { KeySources, ModelSettings, ModelTimeLimits } from './model-settings.ts';
export { parseModelName } from './parse-model-name.ts';
export { KNOWN_PROVIDERS } from './provider-table.ts';
