import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { errorOf, policyText } from '../testing.ts';
import { parsePolicy } from './parse-policy.ts';

const text = readFileSync(new URL('../../../../docs/policy.md', import.meta.url), 'utf8');

it('the example of docs/policy.md is a policy [H1]', () => {
  const [, example = ''] = /```yaml\n(.*?)```/s.exec(text) ?? [];
  expect(parsePolicy(example, 'docs/policy.md')).toMatchObject({
    name: 'mine',
    deny: [{}],
    verify: [{}, {}],
  });
});

it('docs/policy.md leaves no condition out [H1]', () => {
  const unknown = errorOf(() => parsePolicy(policyText('deny', '{ no: thing }'), 'p'));
  const [, known = ''] = /known keys: (.*)$/.exec(unknown.message) ?? [];
  const keys = known.split(', ');
  expect(keys).toContain('recipient');
  expect(keys.filter((key) => !text.includes(`\`${key}\``))).toEqual([]);
});
