import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actionOf, errorOf, reads } from '../testing.ts';
import { explainPolicy } from './explain-policy.ts';
import { parsePolicy } from './parse-policy.ts';

const CONDITIONS = [
  'tool: bash',
  'tool: [bash, read]',
  "command: 'ls *'",
  "path: '/w/**'",
  'access: read',
  'host: "*"',
];
const EXTRA = {
  deny: [''],
  verify: ['by: human', 'by: analysis', 'by: evaluator'],
  allow: ['', 'minTier: 1', 'minTier: 2'],
};
type List = keyof typeof EXTRA;

/** A list of rules in usual formats: over several lines, or in one. */
function rules(list: List): fc.Arbitrary<(from: number) => string> {
  const conditions = fc.uniqueArray(fc.constantFrom(...CONDITIONS), {
    minLength: 1,
    maxLength: 3,
    selector: (condition) => condition.split(':', 1)[0],
  });
  const rule = fc.tuple(conditions, fc.constantFrom(...EXTRA[list]), fc.boolean());
  return fc.array(rule, { maxLength: 2 }).map((all) => (from) => {
    const texts = all.map(([match, extra, inOneLine], at) => {
      const name = `rule-${from}-${at}`;
      const between = extra === '' ? '' : inOneLine ? `, ${extra}` : `      ${extra}\n`;
      return inOneLine
        ? `    - { name: ${name}, match: { ${match.join(', ')} }${between}, reason: because it is }\n`
        : `    - name: ${name}\n      match:\n${match.map((one) => `        ${one}\n`).join('')}${between}      reason: because it is\n`;
    });
    return texts.length === 0 ? `  ${list}: []\n` : `  ${list}:\n${texts.join('')}`;
  });
}

const policies = fc
  .tuple(rules('deny'), rules('verify'), rules('allow'))
  .map(([deny, verify, allow]) => `version: 1\nname: cut\nrules:\n${deny(0)}${verify(1)}${allow(2)}`);

const actions = [
  actionOf('bash', { command: 'ls -l' }),
  actionOf('bash', { command: 'rm x', hosts: ['example.org'] }),
  actionOf('read', { paths: reads('/w/a') }),
  actionOf('read', { paths: reads('/etc/a') }),
];

/** 2 if allowed immediately, 1 if analysis may allow it, else 0. */
function openness(text: string, file: string): readonly number[] {
  const policy = parsePolicy(text, file);
  return actions.map((action) => {
    const { verdict, handedOn } = explainPolicy(policy, action);
    if (verdict === undefined && handedOn?.minTier !== 2) return 1;
    return verdict?.decision === 'allow' ? 2 : 0;
  });
}

describe('a policy that is cut short', () => {
  it('at any byte is an error, or allows nothing that the whole one did not [FT24] [H1]', () => {
    fc.assert(
      fc.property(policies, (text) => {
        const whole = openness(text, 'whole.yaml');
        for (let size = 0; size < text.length; size += 1) {
          const cut = openOrRefused(text.slice(0, size));
          // Without a matching rule the policy decides nothing: later tiers decide.
          expect(cut?.every((open, at) => open <= Math.max(1, whole[at] ?? 0)) ?? true).toBe(true);
        }
      }),
      { numRuns: 5 },
    );
  });

  it.each([
    [
      'lists in another order',
      'version: 1\nname: x\nrules: { allow: [], verify: [], deny: [] }',
      /rules\.deny: must stand last, in the order deny, verify, allow/,
    ],
    [
      'something after the rules',
      'version: 1\nrules: { deny: [], verify: [], allow: [] }\nname: x',
      /rules: must stand last/,
    ],
    [
      'something after a reason',
      'version: 1\nname: x\nrules: { deny: [], verify: [], allow: [{ name: a, reason: b, match: { tool: c } }] }',
      /reason: must stand last/,
    ],
  ])('would not be seen with %s, so that is refused [FT24]', (_what, text, message) => {
    expect(errorOf(() => parsePolicy(text, 'p.yaml')).message).toMatch(message);
  });
});

function openOrRefused(text: string): readonly number[] | undefined {
  try {
    return openness(text, 'cut.yaml');
  } catch {
    return undefined;
  }
}
