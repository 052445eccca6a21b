import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { policyJsonSchemaText } from './policy-json-schema.ts';

const docs = new URL('../../../../docs/', import.meta.url);

describe('the JSON Schema of a policy', () => {
  it('is published as it is: `./bulkhead policy schema > docs/policy.schema.json` [H1]', () => {
    expect(readFileSync(new URL('policy.schema.json', docs), 'utf8')).toBe(policyJsonSchemaText());
  });

  it('takes no keys but those it names', () => {
    const open: string[] = [];
    const walk = (node: unknown, at: string): void => {
      if (typeof node !== 'object' || node === null) return;
      if ('properties' in node && !('additionalProperties' in node && node.additionalProperties === false))
        open.push(at);
      for (const [key, inner] of Object.entries(node)) walk(inner, `${at}/${key}`);
    };
    walk(JSON.parse(policyJsonSchemaText()), '');
    expect(open).toEqual([]);
  });
});
