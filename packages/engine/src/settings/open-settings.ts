import type { Clock, HomeLayout } from '@bulkhead/protocol';
import type { Config } from '../config/config-schema.ts';
import type { SecretStore } from '../config/secrets/secret-store.ts';
import type { ModelSource } from '../models/model-source.ts';
import type { AuditSink } from '../pipeline/action-trail.ts';
import type { KnownSecrets } from '../redaction/known-secrets.ts';
import { ModelDesk } from './model-desk.ts';
import { SettingsDesk } from './settings-desk.ts';

/** What clients see and change of the configuration. */
export interface SettingsDesks {
  readonly settings: SettingsDesk;
  readonly model: ModelDesk;
}

/** Each change is in the audit log, by its keys: never a value. */
export function openSettings(parts: {
  readonly layout: HomeLayout;
  /** What the engine was started with. */
  readonly running: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly store: SecretStore;
  readonly secrets: Pick<KnownSecrets, 'add'>;
  readonly models: Pick<ModelSource, 'setChat'>;
  readonly audit: AuditSink;
  readonly clock: Clock;
}): SettingsDesks {
  const { layout, running, audit, ...others } = parts;
  const onChange = async (keys: readonly string[], keyName = ''): Promise<void> => {
    if (keys.length === 0 && keyName === '') return;
    const details = { keys, secret: keyName };
    await audit.append([{ step: 'SETTINGS_CHANGED', action: '', hash: '', session: '', tool: '', details }]);
  };
  const settings = new SettingsDesk({ layout, running, onChange });
  return { settings, model: new ModelDesk({ layout, settings, onChange, ...others }) };
}
