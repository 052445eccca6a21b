import { processorMs, slowness } from '@bulkhead/testkit/processor-time';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actionOf, policyText, reads } from '../testing.ts';
import { explainPolicy } from './explain-policy.ts';
import { parsePolicy } from './parse-policy.ts';
import type { Policy } from './policy.ts';
import { presetPolicies } from './presets.ts';

/** FT23. */
const LIMIT_MS = 50;

const evil = [
  'a'.repeat(100_000),
  `${'ab'.repeat(50_000)}c`,
  '/a'.repeat(50_000),
  `/a/${'b/'.repeat(20_000)}c`,
  `${' '.repeat(100_000)}!`,
  `${'rm -rf '.repeat(15_000)}\n`,
  '\u{1f600}'.repeat(50_000),
  '*?'.repeat(50_000),
];

/** The slowest judgement's time as on the machine of docs/proof.md, however slow this one is. */
function slowest(policy: Policy): number {
  const startedBy = ({ metadata: { command = '' } }: { metadata: { command?: string } }) =>
    command.split(';').map((one) => ({ words: one.split(' '), plain: true }));
  const times = evil.map((text) => {
    const path = text.startsWith('/') ? text : `/w/${text}`;
    const action = actionOf('bash', { command: text, paths: reads(path), hosts: [text.slice(0, 253)] });
    return processorMs(() => explainPolicy(policy, action, { startedBy, now: 0 }), LIMIT_MS);
  });
  const most = Math.max(...times);
  return most < LIMIT_MS ? most : most / slowness();
}

describe('judging takes bounded time', () => {
  it.each(['default', 'permissive', 'strict'] as const)('with the policy %s [FT23] [H1]', (name) => {
    expect(slowest(parsePolicy(presetPolicies[name], name))).toBeLessThan(LIMIT_MS);
  });

  it('with any patterns a user may write [FT23] [H1]', () => {
    const piece = fc.constantFrom('*', '**', '?', 'a', 'ab', '/', '**/', ' ', 'rm', '!', '*a', 'a*');
    const pattern = fc
      .array(piece, { minLength: 1, maxLength: 200 })
      .map((pieces) =>
        pieces
          .join('')
          .replaceAll(/\*{3,}/g, '**')
          .trim(),
      )
      .filter((text) => text !== '');
    const patterns = fc.array(pattern, { minLength: 1, maxLength: 20 });
    const key = fc.constantFrom('path', 'command', 'argv');
    const list = fc.constantFrom<'deny' | 'allow'>('deny', 'allow');
    fc.assert(
      fc.property(list, key, patterns, (into, condition, texts) => {
        const policy = parsePolicy(policyText(into, `{ ${condition}: ${JSON.stringify(texts)} }`), 'p');
        expect(slowest(policy)).toBeLessThan(LIMIT_MS);
      }),
      { numRuns: 20 },
    );
  });

  it.each(['a **', 'b ** c', '** x', 'rm ** -rf ** -rf ** x'])(
    'with the pattern %j twenty times, and commands of many words [FT23] [H1]',
    (pattern) => {
      const texts = JSON.stringify(Array.from({ length: 20 }, () => pattern));
      expect(slowest(parsePolicy(policyText('deny', `{ argv: ${texts} }`), 'p'))).toBeLessThan(LIMIT_MS);
    },
  );

  it('and what takes longer is blocked, not passed over [FT23] [A4]', () => {
    const slow = `${'*a'.repeat(300)}b`;
    const policy = parsePolicy(policyText('verify', `{ command: "${slow}" }`), 'p');
    const action = actionOf('bash', { command: `${'a'.repeat(100_000)}bc` });
    const { verdict } = explainPolicy(policy, action);
    expect(verdict).toMatchObject({ decision: 'block', rule: 'policy-error' });
  });
});
