import { describe, expect, it } from 'vitest';
import { actionOf, policyText, reads, writes } from '../testing.ts';
import { evaluatePolicy } from './evaluate-policy.ts';
import { explainPolicy } from './explain-policy.ts';
import { parsePolicy } from './parse-policy.ts';

const decide = (list: 'deny' | 'verify' | 'allow', match: string, action: ReturnType<typeof actionOf>) =>
  evaluatePolicy(parsePolicy(policyText(list, match), 'p'), action)?.decision;
const allows = (match: string, action: ReturnType<typeof actionOf>): boolean =>
  decide('allow', match, action) === 'allow';
const denies = (match: string, action: ReturnType<typeof actionOf>): boolean =>
  decide('deny', match, action) === 'block';

const ALL_THREE = `
version: 1
name: three
rules:
  deny:
    - { name: no-etc, match: { path: '/etc/**' }, reason: system files }
  verify:
    - { name: ask-bash, match: { tool: bash }, by: human, reason: a command }
  allow:
    - { name: all-core, match: { group: core }, reason: core tools }
`;

describe('a policy', () => {
  it('asks deny, then verify, then allow [H1]', () => {
    const policy = parsePolicy(ALL_THREE, 'p');
    const verdict = (tool: string, path: string) =>
      evaluatePolicy(policy, actionOf(tool, { paths: reads(path) }));
    expect(verdict('bash', '/etc/x')).toEqual({
      decision: 'block',
      tier: 0,
      rule: 'no-etc',
      reason: 'system files',
      confidence: 1,
    });
    expect(verdict('bash', '/w/x')).toMatchObject({ decision: 'escalate', rule: 'ask-bash', tier: 0 });
    expect(verdict('read', '/w/x')).toMatchObject({ decision: 'allow', rule: 'all-core', tier: 0 });
    expect(evaluatePolicy(policy, actionOf('read', { group: 'other' }))).toBeUndefined();
  });

  it('tells which rule decided and why others did not [H1]', () => {
    const policy = parsePolicy(ALL_THREE, 'p');
    expect(explainPolicy(policy, actionOf('read', { paths: reads('/w/x') }))).toMatchObject({
      verdict: { rule: 'all-core' },
      passed: [
        { list: 'deny', rule: 'no-etc', because: 'no path of the action matches' },
        { list: 'verify', rule: 'ask-bash', because: 'tool is "read"' },
      ],
    });
    const nothing = explainPolicy(policy, actionOf('x', { group: 'y' }));
    expect(nothing.verdict).toBeUndefined();
    expect(nothing.passed.map((each) => each.rule)).toEqual(['no-etc', 'ask-bash', 'all-core']);
  });

  it('wants every condition of a rule, and one of each list [H1]', () => {
    const match = '{ tool: [a, b], group: core }';
    expect(allows(match, actionOf('a'))).toBe(true);
    expect(allows(match, actionOf('b'))).toBe(true);
    expect(allows(match, actionOf('c'))).toBe(false);
    expect(allows(match, actionOf('a', { group: 'other' }))).toBe(false);
  });

  it('matches nothing by an empty list [H1]', () => {
    const action = actionOf('a', { paths: reads('/w/x'), command: 'ls' });
    for (const key of ['tool', 'group', 'path', 'access', 'command']) {
      for (const list of ['deny', 'verify', 'allow'] as const) {
        expect(decide(list, `{ ${key}: [] }`, action)).toBeUndefined();
      }
    }
  });

  it('takes tool names as they are, not as patterns', () => {
    expect(allows("{ tool: '*' }", actionOf('a'))).toBe(false);
    expect(allows("{ tool: ['constructor'] }", actionOf('constructor'))).toBe(true);
  });

  it('allows only if all paths match, and denies if any does [H1]', () => {
    const match = "{ path: ['{workingFolder}/**'] }";
    const [inside, outside] = ['/w/a', '/x/b'];
    expect(allows(match, actionOf('a', { paths: reads(inside) }))).toBe(true);
    expect(allows(match, actionOf('a', { paths: reads(inside, outside) }))).toBe(false);
    expect(allows(match, actionOf('a', { paths: [] }))).toBe(false);
    expect(denies(match, actionOf('a', { paths: reads(inside, outside) }))).toBe(true);
    expect(denies(match, actionOf('a', { paths: reads(outside) }))).toBe(false);
    expect(decide('verify', match, actionOf('a', { paths: reads(outside, inside) }))).toBe('escalate');
  });

  it('looks at path and access together', () => {
    const match = "{ path: '/etc/**', access: write }";
    expect(denies(match, actionOf('a', { paths: [...reads('/etc/x'), ...writes('/w/y')] }))).toBe(false);
    expect(denies(match, actionOf('a', { paths: [...reads('/w/y'), ...writes('/etc/x')] }))).toBe(true);
    expect(allows('{ access: read }', actionOf('a', { paths: [...reads('/w/x'), ...writes('/w/x')] }))).toBe(
      false,
    );
    expect(allows('{ access: read }', actionOf('a'))).toBe(false);
  });

  it('does not let an allowed command start another', () => {
    const allowed = (command: string): boolean =>
      allows("{ command: 'git *' }", actionOf('bash', { command }));
    expect(allowed('git log --oneline')).toBe(true);
    for (const more of [
      '; rm x',
      ' && rm x',
      ' | sh',
      ' $(rm x)',
      ' `rm x`',
      '\nrm x',
      ' > /etc/x',
      ' < x',
      ' &',
    ]) {
      expect(allowed(`git log${more}`)).toBe(false);
    }
    expect(denies("{ command: '*rm -rf*' }", actionOf('bash', { command: 'ls;\n rm -rf /' }))).toBe(true);
    expect(allows("{ command: '**' }", actionOf('bash'))).toBe(false);
  });

  it.each(['relative', '/w/../etc/passwd', '/w//x', '/w/./x', '', '/w/\0x', '/w/..'])(
    'blocks an action whose path is not resolved: %j [A4]',
    (path) => {
      for (const list of ['deny', 'verify', 'allow'] as const) {
        expect(decide(list, "{ path: '/nothing/**' }", actionOf('a', { paths: reads(path) }))).toBe('block');
      }
    },
  );

  it('blocks if the working folder is not a folder [A4]', () => {
    const action = actionOf('a', { workingFolder: '', paths: reads('/etc/passwd') });
    expect(decide('allow', "{ path: '{workingFolder}/**' }", action)).toBe('block');
  });

  it('blocks what takes too long to match, in time [H1]', () => {
    const command = 'a'.repeat(200_000);
    const start = process.cpuUsage();
    const verdict = evaluatePolicy(
      parsePolicy(policyText('deny', `{ command: '${'*a'.repeat(500)}b' }`), 'p'),
      actionOf('bash', { command }),
    );
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(1000);
    expect(verdict).toMatchObject({ decision: 'block', rule: 'policy-error' });
    expect(verdict?.reason).toMatch(/rule only could not be judged: .*too many steps/);
  });
});
