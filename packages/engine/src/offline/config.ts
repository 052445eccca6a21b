/*
 * Functions of the CLI for `config.yaml` and secrets without an engine. Apart from the client's own
 * entry point: it includes the schema and a YAML parser, which no other command should load.
 */
export { type ConfigChange, changeConfig } from '@bulkhead/home/config/change-config';
export { type ConfigKey, findConfigKey, listConfigKeys } from '@bulkhead/home/config/config-keys';
export { type EffectiveSetting, effectiveSettings } from '@bulkhead/home/config/effective-settings';
export { configJsonSchemaText } from '@bulkhead/home/config/json-schema';
export { loadConfig } from '@bulkhead/home/config/load-config';
export { DEFAULT_PROFILE } from '@bulkhead/home/config/profile-name';
export { checkSecretName, looksLikeSecret } from '@bulkhead/home/config/schema/secret-name';
export { openSecretStore } from '@bulkhead/home/config/secrets/open-secret-store';
export type { SecretStore } from '@bulkhead/home/config/secrets/secret-store';
export { checkedSecret, MAX_SECRET_LENGTH } from '@bulkhead/home/config/secrets/secret-value';
export { checkHome } from '@bulkhead/home/folder/home-trace';
export {
  createProfile,
  deleteProfile,
  listProfiles,
  type ProfileSummary,
  readProfile,
} from '@bulkhead/mind/profile/profile-store';
