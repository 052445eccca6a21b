import { readStrictYaml } from '@bulkhead/protocol/strict-yaml';
import type * as z from 'zod';
import { defaultFlowPolicy } from './default-flow-policy.ts';
import { flowPolicySchema } from './flow-policy-schema.ts';

/** What the shipped `ifc.yaml` says, as its schema gives it. Bundles hold the answer: reading it takes longer than all else at a start. */
export function shippedFlowValue(): z.output<typeof flowPolicySchema> {
  return readStrictYaml(defaultFlowPolicy, 'ifc.yaml', flowPolicySchema).value;
}
