import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorOf, policyText } from '../testing.ts';
import { parsePolicy } from './parse-policy.ts';
import { presetPolicies } from './presets.ts';

const refusal = (text: string): string => {
  const error = errorOf(() => parsePolicy(text, 'p.yaml'));
  expect(error.code).toBe('config_invalid');
  return error.message;
};
const allow = (match: string): string => policyText('allow', match);

describe('a policy file', () => {
  it('is read whole', () => {
    const text = allow('{ tool: [a, b], group: g, path: "/x/**", access: [read, write], command: "ls *" }');
    const policy = parsePolicy(text, 'p.yaml');
    expect(policy).toMatchObject({ version: 1, name: 'test', deny: [], verify: [] });
    expect(policy.allow[0]).toMatchObject({
      name: 'only',
      reason: 'because',
      match: {
        tool: ['a', 'b'],
        group: ['g'],
        path: [{ source: '/x/**' }],
        access: ['read', 'write'],
        command: [{ source: 'ls *' }],
      },
    });
    expect(parsePolicy(policyText('verify', '{ tool: [] }'), 'p').verify[0]?.match).toEqual({ tool: [] });
  });

  it('is refused with file, line, column and the known keys for an unknown key [H1]', () => {
    const message = refusal(
      'version: 1\nname: x\nrules:\n  deny: []\n  verify: []\n  allow: []\n  alow: []\n',
    );
    expect(message).toBe('p.yaml:7:3: rules: key "alow" is unknown; known keys: deny, verify, allow');
    expect(errorOf(() => parsePolicy('oops: 1', 'p.yaml')).details).toMatchObject({
      file: 'p.yaml',
      line: 1,
    });
  });

  it.each([
    ['nothing', '', /expected keys version, name, rules/],
    ['only a comment', '# hello\n', /expected keys/],
    ['a list', '- 1', /expected keys/],
    ['broken YAML', 'version: [1', /p\.yaml:1:\d+/],
    ['a tab', 'rules:\n\tdeny: []', /p\.yaml:2:1: /],
    ['two documents', `${allow('{tool: a}')}---\n`, /multiple documents/],
    ['an unknown directive', `%FOO bar\n---\n${allow('{ tool: a }')}`, /p\.yaml:1:1: .*%FOO/],
    ['a doubled key', allow('{ tool: a, tool: b }'), /p\.yaml:6:\d+: key "tool" is there twice/],
    ['an alias', allow('{ tool: &x a, group: *x }'), /an anchor is not allowed/],
    ['a tag', allow('{ tool: !!js/function a }'), /p\.yaml:6:\d+: .*tag/i],
    ['a known tag', allow('{ tool: !!str a }'), /the tag tag:yaml.org,2002:str is not allowed/],
    ['a merge key', allow('{ tool: a, <<: {group: b} }'), /key "<<" is unknown/],
    ['a prototype', allow('{ tool: a, __proto__: {group: b} }'), /key "__proto__" is unknown/],
    ['a later version', allow('{ tool: a }').replace('1', '2'), /p\.yaml:1:1: version: expected 1/],
    ['an empty match', allow('{}'), /match: is empty, so it would match everything/],
    ['a number for a tool', allow('{ tool: 5 }'), /tool: expected text or a list of texts/],
    ['an empty tool', allow('{ tool: "" }'), /is empty|expected text/],
    ['nothing for a tool', allow('{ tool: }'), /expected text/],
    ['a bad access', allow('{ access: execute }'), /expected read or write|expected text/],
    ['a bad pattern', allow('{ path: "/{a,b}" }'), /the pattern has a bare|expected text/],
    [
      'a missing list',
      'version: 1\nname: x\nrules:\n  deny: []\n  allow: []\n',
      /rules\.verify: expected a list of rules/,
    ],
    ['a missing reason', allow('{ tool: a }').replace(', reason: because', ''), /reason: expected text/],
    ['by in an allow rule', allow('{ tool: a }, by: human'), /key "by" is unknown/],
    [
      'no by in a verify rule',
      policyText('verify', '{ tool: a }').replace('by: human,', ''),
      /by: expected human/,
    ],
    [
      'a judge there is not',
      policyText('verify', '{ tool: a }').replace('human', 'tier2'),
      /by: expected human, evaluator or analysis/,
    ],
    ['a tier that decides nothing', allow('{ tool: a }, minTier: 3'), /minTier: expected 0, 1 or 2/],
    ['minTier in a deny rule', policyText('deny', '{ tool: a }, minTier: 1'), /key "minTier" is unknown/],
    ['a mode there is not', allow('{ sessionMode: quiet }'), /expected normal, otr, dry-run or unattended/],
    ['a secrecy there is not', allow('{ taint: { secrecy: hot } }'), /expected public, .* or critical/],
    ['an empty taint', allow('{ taint: {} }'), /taint: is empty: give secrecy, trust or both/],
    ['a time without a zone', allow('{ time: { from: "09:00" } }'), /zone: expected text|expected keys/],
    [
      'a zone there is not',
      allow('{ time: { zone: Mars/Base } }'),
      /"Mars\/Base" is no time zone|expected keys/,
    ],
    [
      'an hour there is not',
      allow('{ time: { zone: UTC, from: "25:00" } }'),
      /"25:00" is no time|expected keys/,
    ],
    [
      'a time of no length',
      allow('{ time: { zone: UTC, from: "00:00", to: "00:00" } }'),
      /no time is|expected keys/,
    ],
    ['a command of no words', allow('{ argv: " " }'), /the pattern is empty|expected text/],
    ['too much text', `${allow('{ tool: a }')}${'#'.repeat(256 * 1024)}`, /at most 262144 bytes/],
  ])('is refused for %s [H1]', (_, text, message) => {
    expect(refusal(text)).toMatch(message);
  });

  it('is refused for two rules of one name', () => {
    const text = allow('{ tool: a }').replace(
      'deny: []',
      'deny: [{ name: only, match: { tool: b }, reason: r }]',
    );
    expect(refusal(text)).toMatch(/p\.yaml:6:\d+: the rule name "only" is there twice/);
  });

  it('is refused in bounded time for text made to be slow [H1]', () => {
    const lines = (count: number, line: (n: number) => string): string =>
      Array.from({ length: count }, (_, n) => line(n)).join('\n');
    const evil = [
      '['.repeat(250_000),
      '{a: '.repeat(60_000),
      '- '.repeat(120_000),
      '? '.repeat(120_000),
      lines(22_000, (n) => `k${n}: 1`),
      lines(22_000, () => 'k: 1'),
      `a: &a [${'x,'.repeat(1000)}]\n${lines(5000, (n) => `b${n}: [*a,*a,*a,*a,*a,*a]`)}`,
      `a: "${'\\'.repeat(250_000)}`,
    ];
    for (const text of evil) {
      const start = process.cpuUsage();
      refusal(text);
      expect(process.cpuUsage(start).user / 1_000).toBeLessThan(5000);
    }
  });

  it('never gives anything but a policy or a clear error', () => {
    const word = fc.constantFrom('version', 'name', 'rules', 'deny', 'allow', 'tool', '1', 'x');
    const mark = fc.constantFrom(
      ': ',
      '\n',
      '\n  ',
      '- ',
      '[',
      ']',
      '{',
      '}',
      ', ',
      '&a ',
      '*a',
      '!t ',
      '"',
      "'",
      '#',
      '|',
      '\0',
    );
    const soup = fc
      .array(fc.oneof(word, mark, fc.string()), { maxLength: 30 })
      .map((parts) => parts.join(''));
    const cut = fc.nat(presetPolicies.default.length);
    const damaged = fc.tuple(cut, cut, soup).map(([from, to, middle]) => {
      const text = presetPolicies.default;
      return text.slice(0, from) + middle.slice(0, 5) + text.slice(to);
    });
    fc.assert(
      fc.property(fc.oneof(soup, damaged), (text) => {
        try {
          expect(parsePolicy(text, 'p.yaml').version).toBe(1);
        } catch (error) {
          expect(
            errorOf(() => {
              throw error;
            }).message,
          ).toMatch(/^p\.yaml:\d+:\d+: /);
        }
      }),
      { numRuns: 500 },
    );
  });
});
