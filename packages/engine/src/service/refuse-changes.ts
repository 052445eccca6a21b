import type { Interceptor } from '@connectrpc/connect';

/**
 * Calls that keep nothing; and the end of an access, which counts at once and is written to the home itself. All others, also those that a
 * later version adds, are changes until they are named here.
 */
const READS =
  /^(Status|Watch|Stop|CancelRun|HandOverKeys|RunDoctor|CreateLoginCode|RevokeAccess|(List|Read|Search|Export|Show|Inspect|Explain|Diff|Verify|Prove|Expand)[A-Z]\w*)$/;

/**
 * Refuses every call that would keep something: for an engine that works on copies of its home, which are thrown away.
 *
 * @param refuse throws the reason; called for each such call
 */
export function refuseChanges(refuse: () => void): Interceptor {
  return (next) => async (request) => {
    if (!READS.test(request.method.name)) refuse();
    return await next(request);
  };
}
