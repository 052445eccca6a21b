import type { Config, ModelRole } from '@bulkhead/home/config/config-schema';
import { keyNameOf } from '@bulkhead/models';
import { BulkheadError } from '@bulkhead/protocol';
import { originOf } from './plan-model.ts';

/**
 * Refuses to store a key that would also be sent to a model of another address. The chat model is
 * the one that is being set up.
 *
 * @param models those of the file, and those this engine works with
 * @param origin for which the key was typed
 * @throws BulkheadError `blocked`, naming the other address and its model
 */
export function guardKey(keyName: string, origin: string, models: readonly Config['models'][]): void {
  for (const [name, role] of models.flatMap(rolesOf)) {
    const elsewhere = originOf(role);
    if (elsewhere === undefined || elsewhere === origin || keyNameOf(role) !== keyName) continue;
    throw new BulkheadError(
      'blocked',
      `${keyName} is also sent to ${new URL(elsewhere).host}, by models.${name} (${role.provider}/${role.model})`,
      {
        fix: `Give one of the two an apiKeyEnv of its own: bulkhead config set models.${name}.apiKeyEnv NAME`,
      },
    );
  }
}

function rolesOf({
  fallback,
  chat: _replaced,
  ...roles
}: Config['models']): readonly (readonly [string, ModelRole])[] {
  const named = Object.entries(roles).flatMap(([name, role]) =>
    role === undefined ? [] : [[name, role] as const],
  );
  return [...named, ...fallback.map((role, place) => [`fallback.${place}`, role] as const)];
}
