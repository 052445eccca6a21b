import { createHash } from 'node:crypto';
import { readText } from '@bulkhead/home/config/file/read-text';
import { emptyPolicy } from '@bulkhead/home/folder/home-policies';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import { type FlowPolicy, type Policy, parsePolicy } from '@bulkhead/shield';
import { type ReadFlowPolicy, readFlowPolicy } from '../flow/read-flow-policy.ts';
import { ALWAYS_FILE, parseAlways } from './always-file.ts';

/** Everything that decides about actions: changes together, under one digest. */
export interface PolicyInForce extends Policy {
  /** Tool annotations, and the level that each sink allows. */
  readonly flow: FlowPolicy;
}

/**
 * Reads the policy of a home: the configured file, permanent approvals and tool annotations. Its
 * digest covers the bytes of all of them.
 *
 * @param name without `.yaml`
 * @param readFlow a caching function, for frequent reads
 * @throws BulkheadError `config_invalid` if the policy is missing or invalid: nothing runs without
 * one
 */
export function readPolicy(
  layout: HomeLayout,
  name: string,
  readFlow: (layout: HomeLayout) => ReadFlowPolicy = readFlowPolicy,
): PolicyInForce {
  const path = `${layout.policies}/${name}.yaml`;
  const alwaysPath = `${layout.policies}/${ALWAYS_FILE}`;
  const text = readText(path);
  if (text === undefined) {
    throw new BulkheadError('config_invalid', `the policy ${path} is not there`, {
      fix: `Name another one with \`bulkhead config set policy NAME\`, or put one there: \`bulkhead policy show default --preset > ${path}\`.`,
    });
  }
  const always = readText(alwaysPath);
  if (text === '') throw emptyPolicy(path);
  if (always === '') throw emptyPolicy(alwaysPath);
  const policy = parsePolicy(text, path);
  const ifc = readFlow(layout);
  const digest = createHash('sha256')
    .update(JSON.stringify([text, always ?? null, ifc.digest]))
    .digest('hex');
  const inForce = { ...policy, digest, flow: ifc.flow };
  if (always === undefined) return inForce;
  return { ...inForce, answered: parseAlways(always, alwaysPath).allow };
}
