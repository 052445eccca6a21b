import * as z from 'zod';
import { policySchema } from './policy-schema.ts';

/**
 * Returns the JSON Schema (draft 2020-12) of a policy file, as published in
 * `docs/policy.schema.json`.
 */
export function policyJsonSchemaText(): string {
  const schema = {
    ...z.toJSONSchema(policySchema, { target: 'draft-2020-12', io: 'input', reused: 'ref' }),
    title: "A policy of Bulkhead's: policies/NAME.yaml",
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
