import type { RecordOf } from '@bulkhead/protocol/records';
import type { ActionFacts } from '../pipeline/stages.ts';

/**
 * A record in a session's log, after the start of an action. Logs of earlier versions have none.
 */
export function factsRecord(facts: ActionFacts): RecordOf<'action_facts'> {
  const { action, workingFolder, paths, hosts, secretFiles } = facts;
  const kept = paths.map(({ path, access }) => ({ path, access }));
  const more = secretFiles === undefined ? {} : { secretFiles: [...secretFiles] };
  return { type: 'action_facts', body: { action, workingFolder, paths: kept, hosts: [...hosts], ...more } };
}
