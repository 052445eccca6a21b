import { readStrictYaml } from '@bulkhead/protocol/strict-yaml';
import type * as z from 'zod';
import { defaultFlowPolicy } from './default-flow-policy.ts';
import { flowPolicySchema } from './flow-policy-schema.ts';

/**
 * Returns the shipped `ifc.yaml`, parsed. Bundles contain the result: parsing it would dominate the
 * start-up time.
 */
export function shippedFlowValue(): z.output<typeof flowPolicySchema> {
  return readStrictYaml(defaultFlowPolicy, 'ifc.yaml', flowPolicySchema).value;
}
