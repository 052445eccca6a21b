import type { ConfigChange } from '@bulkhead/home/config/change-config';
import type { ModelRole } from '@bulkhead/home/config/config-schema';

/** Optional members of a role. */
const MEMBERS = ['baseUrl', 'apiKeyEnv', 'contextWindow', 'maxOutputTokens', 'thinking', 'price'] as const;

/**
 * The changes of `config.yaml` that set this chat model. Unchanged members are not written, so
 * their comments stay.
 */
export function roleChanges(role: ModelRole, before: ModelRole | undefined): readonly ConfigChange[] {
  const change = (key: string, value: string | undefined): ConfigChange =>
    value === undefined ? { key: `models.chat.${key}` } : { key: `models.chat.${key}`, value };
  const members = MEMBERS.flatMap((name) => {
    const [now, then] = [role[name], before?.[name]];
    if (JSON.stringify(now) === JSON.stringify(then)) return [];
    return [change(name, now === undefined || typeof now === 'string' ? now : JSON.stringify(now))];
  });
  return [change('provider', role.provider), change('model', quoted(role.model)), ...members];
}

/** A text is used unchanged unless it begins with a quote or a blank. */
function quoted(text: string): string {
  return /^\s*["']/.test(text) ? JSON.stringify(text) : text;
}
