import type { HomeLayout } from '@bulkhead/protocol';
import { defaultFlowPolicy, type FlowPolicy, parseFlowPolicy } from '@bulkhead/shield';
import { readText } from '../config/policy/read-policy.ts';
import { FLOW_POLICY_FILE } from './flow-policy-file.ts';

/**
 * What tools do, and which level may leave by which way. A home without the file has the shipped one: a tool that no file
 * describes is never allowed, so nothing is gained by taking it away.
 *
 * @throws BulkheadError `config_invalid` for a file that is there and wrong
 */
export function readFlowPolicy({ policies }: Pick<HomeLayout, 'policies'>): FlowPolicy {
  const path = `${policies}/${FLOW_POLICY_FILE}`;
  const text = readText(path);
  return text === undefined
    ? parseFlowPolicy(defaultFlowPolicy, FLOW_POLICY_FILE)
    : parseFlowPolicy(text, path);
}
