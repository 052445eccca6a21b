import type { AuditSink } from '@bulkhead/audit';
import type { Config } from '@bulkhead/home/config/config-schema';
import type { SecretStore } from '@bulkhead/home/config/secrets/secret-store';
import type { KnownSecrets } from '@bulkhead/log/redaction/known-secrets';
import type { ModelSource } from '@bulkhead/processes/models/model-source';
import type { Clock, HomeLayout } from '@bulkhead/protocol';
import { ModelSetUp } from './model-set-up.ts';
import { SettingsService } from './settings-service.ts';

/** Services that show and change the configuration for clients. */
export interface SettingsServices {
  readonly settings: SettingsService;
  readonly model: ModelSetUp;
}

/** Each change is in the audit log, by its keys: never a value. */
export function openSettings(parts: {
  readonly layout: HomeLayout;
  /** The settings at the engine's start. */
  readonly settings: { readonly config: Config; readonly store: SecretStore };
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly secrets: Pick<KnownSecrets, 'add'>;
  readonly models: Pick<ModelSource, 'setChat'>;
  readonly audit: AuditSink;
  readonly clock: Clock;
}): SettingsServices {
  const { layout, audit, settings: started, ...others } = parts;
  const onChange = async (keys: readonly string[], keyName = ''): Promise<void> => {
    if (keys.length === 0 && keyName === '') return;
    const details = { keys, secret: keyName };
    await audit.append([{ step: 'SETTINGS_CHANGED', action: '', hash: '', session: '', tool: '', details }]);
  };
  const settings = new SettingsService({ layout, running: started.config, onChange });
  return { settings, model: new ModelSetUp({ layout, settings, onChange, store: started.store, ...others }) };
}
