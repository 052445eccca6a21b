import { BulkheadError } from '@bulkhead/protocol';

/**
 * Refuses a peer of another version, even if its messages happen to be readable [FT100]. The
 * process checks before it opens its connection, the engine when the process is ready.
 *
 * @param name of the process: `agent`, `worker`
 * @throws BulkheadError `protocol_violation`
 */
export function refuseOtherVersion(
  name: string,
  versions: { readonly process: number; readonly engine: number },
): void {
  if (versions.process === versions.engine) return;
  throw new BulkheadError(
    'protocol_violation',
    `the ${name} speaks protocol version ${versions.process}, the engine ${versions.engine}`,
    { fix: 'Build both from the same sources' },
  );
}
