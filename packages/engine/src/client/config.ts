/*
 * What the CLI needs to work on `config.yaml` and secrets where no engine runs. Apart from the client's own door: it
 * brings the schema and a YAML parser along, which no other command should pay for.
 */
export { type ConfigChange, changeConfig } from '../config/change-config.ts';
export { type ConfigKey, findConfigKey, listConfigKeys } from '../config/config-keys.ts';
export { type EffectiveSetting, effectiveSettings } from '../config/effective-settings.ts';
export { configJsonSchemaText } from '../config/json-schema.ts';
export { loadConfig } from '../config/load-config.ts';
export { openSecretStore } from '../config/secrets/open-secret-store.ts';
export { checkSecretName, looksLikeSecret } from '../config/secrets/secret-name.ts';
export type { SecretStore } from '../config/secrets/secret-store.ts';
export { checkedSecret, MAX_SECRET_LENGTH } from '../config/secrets/secret-value.ts';
export { checkHome } from '../home/home-trace.ts';
export { DEFAULT_PROFILE } from '../profile/profile-name.ts';
export {
  createProfile,
  deleteProfile,
  listProfiles,
  type ProfileSummary,
  readProfile,
} from '../profile/profile-store.ts';
