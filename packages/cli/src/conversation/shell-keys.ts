import type { StatusResponse } from '@bulkhead/protocol/client';
import type { Environment } from '../environment.ts';
import type { Output } from '../output/output.ts';

/** Of `status`: the variables that can hold a provider's key. */
type KnownKeys = Pick<StatusResponse, 'keys'>;

/** The providers' keys that this shell has, by the name of their variable. */
export function shellKeys({ keys }: KnownKeys, env: Environment['env']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    keys.flatMap(({ name }): [string, string][] => {
      const value = (env[name] ?? '').trim();
      return value === '' ? [] : [[name, value]];
    }),
  );
}

/**
 * Says of each key that this shell has and the running engine would use, had it been started with it, that it does not count, and what to do.
 * No value is told.
 */
export function tellUnusedKeys(status: KnownKeys, env: Environment['env'], stderr: Output): void {
  const mine = shellKeys(status, env);
  for (const { name, missed } of status.keys) {
    if (!missed || mine[name] === undefined) continue;
    stderr.line(
      `note: ${stderr.safeLine(name)} of this shell does not count: the engine was started without it. \`bulkhead restart\` here takes it over; \`bulkhead config secret ${stderr.safeLine(name)}\` stores it for good.`,
    );
  }
}
