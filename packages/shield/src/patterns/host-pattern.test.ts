import { describe, expect, it } from 'vitest';
import { evaluatePolicy } from '../policy/evaluate-policy.ts';
import { parsePolicy } from '../policy/parse-policy.ts';
import { presetPolicies } from '../policy/presets.ts';
import { actionOf, errorOf, policyText } from '../testing.ts';

const decides = (list: 'deny' | 'verify' | 'allow', host: string, hosts?: readonly string[]) =>
  evaluatePolicy(
    parsePolicy(policyText(list, `{ host: ${host} }`), 'p'),
    actionOf('web_fetch', hosts === undefined ? {} : { hosts }),
  ) !== undefined;

describe('the condition host [H1]', () => {
  it.each([
    ['example.org', 'example.org', true],
    ['Example.ORG', 'example.org', true],
    ['example.org', 'www.example.org', false],
    ['example.org', 'example.org.evil.net', false],
    ['example.org', 'badexample.org', false],
    ["'*.example.org'", 'www.example.org', true],
    ["'*.example.org'", 'a.b.example.org', true],
    ["'*.example.org'", 'example.org', false],
    ["'*.example.org'", 'badexample.org', false],
    ["'*'", 'anything.net', true],
    ['127.0.0.1', '127.0.0.1', true],
    ["'[::1]'", '[::1]', true],
  ])('%s against %s: %s', (pattern, host, expected) => {
    for (const list of ['deny', 'verify', 'allow'] as const)
      expect(decides(list, pattern, [host])).toBe(expected);
  });

  it('wants one host in deny and verify, all in allow, and never holds without network', () => {
    const two = ['example.org', 'evil.net'];
    expect(decides('deny', 'example.org', two)).toBe(true);
    expect(decides('verify', 'example.org', two)).toBe(true);
    expect(decides('allow', 'example.org', two)).toBe(false);
    expect(decides('allow', '[example.org, evil.net]', two)).toBe(true);
    for (const list of ['deny', 'verify', 'allow'] as const) {
      expect(decides(list, "'*'")).toBe(false);
      expect(decides(list, "'*'", [])).toBe(false);
      expect(decides(list, '[]', two)).toBe(false);
    }
  });

  it.each(["''", "'*.'", "'*x'", "'a*b'", "'exa mple'", "'http://a.org'", "'a.org:443'", "'a..b'", "'.a'"])(
    'is refused: %s',
    (pattern) => {
      expect(errorOf(() => decides('deny', pattern)).code).toBe('config_invalid');
    },
  );

  it('the presets ask about commands with network, and default asks about pages', () => {
    const decision = (name: 'default' | 'permissive' | 'strict', tool: string, hosts?: readonly string[]) =>
      evaluatePolicy(
        parsePolicy(presetPolicies[name], name),
        actionOf(tool, { command: 'ls', ...(hosts === undefined ? {} : { hosts }) }),
      )?.decision;
    for (const name of ['default', 'permissive', 'strict'] as const) {
      expect(decision(name, 'bash', ['example.org'])).toBe('escalate');
      expect(decision(name, 'http_request', ['example.org'])).toBeUndefined();
    }
    expect(decision('default', 'bash')).toBeUndefined();
    expect(decision('default', 'web_fetch', ['example.org'])).toBeUndefined();
    expect(decision('strict', 'web_fetch', ['example.org'])).toBeUndefined();
    expect(decision('permissive', 'web_fetch', ['example.org'])).toBe('allow');
  });
});
