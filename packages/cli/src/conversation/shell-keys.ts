import type { StatusResponse } from '@bulkhead/protocol/client';
import type { Environment } from '../environment.ts';
import type { Output } from '../output/output.ts';

/** From `status`: the variables that can hold a provider's key. */
type KnownKeys = Pick<StatusResponse, 'keys'>;

/** The providers' keys in this shell, by variable name. */
export function shellKeys({ keys }: KnownKeys, env: Environment['env']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    keys.flatMap(({ name }): [string, string][] => {
      const value = (env[name] ?? '').trim();
      return value === '' ? [] : [[name, value]];
    }),
  );
}

/**
 * Warns about each key of this shell that the running engine lacks but would use after a restart.
 * Never shows a value.
 */
export function tellUnusedKeys(status: KnownKeys, env: Environment['env'], stderr: Output): void {
  const mine = shellKeys(status, env);
  for (const { name, missed } of status.keys) {
    if (!missed || mine[name] === undefined) continue;
    stderr.line(
      `note: ${stderr.safeLine(name)} of this shell is not used: the engine was started without it. \`bulkhead restart\` here applies it; \`bulkhead config secret ${stderr.safeLine(name)}\` stores it permanently.`,
    );
  }
}
