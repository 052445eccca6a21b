import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actionOf, reads, writes } from '../testing.ts';
import { evaluatePolicy } from './evaluate-policy.ts';
import { explainPolicy } from './explain-policy.ts';
import { parsePolicy } from './parse-policy.ts';
import type { Policy } from './policy.ts';
import { presetPolicies } from './presets.ts';

const names = ['default', 'permissive', 'strict'] as const;
const known = ['read', 'ls', 'find', 'grep', 'write', 'edit', 'bash'];
const preset = (name: (typeof names)[number]): Policy => parsePolicy(presetPolicies[name], name);

const inside = ['/w', '/w/a', '/w/a/b.txt'];
const outside = ['/', '/etc/passwd', '/w2/a', '/home/u/.ssh/id_rsa'];
const samples = [...known, 'delete', 'mcp_x_read', ''].flatMap((tool) =>
  [...inside, ...outside].flatMap((path) => [
    actionOf(tool, { paths: reads(path), command: 'ls' }),
    actionOf(tool, { paths: writes(path) }),
    actionOf(tool, { paths: [...reads('/w/a'), ...writes(path)] }),
    actionOf(tool),
  ]),
);

describe('the presets', () => {
  it.each(names)('%s is a policy of its own name', (name) => {
    expect(preset(name).name).toBe(name);
  });

  it.each(['default', 'permissive'] as const)(
    '%s leaves work in the working folder to the analysis, and allows nothing by itself',
    (name) => {
      const decision = (tool: string, paths = reads()) => {
        const { verdict, handedOn } = explainPolicy(preset(name), actionOf(tool, { paths }));
        return verdict?.decision ?? (handedOn?.minTier === 1 ? 'to the analysis' : undefined);
      };
      for (const path of inside) {
        for (const tool of ['read', 'ls', 'find', 'grep'])
          expect(decision(tool, reads(path))).toBe('to the analysis');
        for (const tool of ['write', 'edit']) {
          expect(decision(tool, writes(path))).toBe('to the analysis');
          expect(decision(tool, [...reads(path), ...writes(path)])).toBe('to the analysis');
        }
      }
      // The analysis of commands decides; without it, a person does [H5].
      expect(explainPolicy(preset(name), actionOf('bash'))).toMatchObject({
        verdict: undefined,
        handedOn: { rule: 'boxed-command', minTier: 1 },
      });
      for (const path of outside) {
        for (const tool of known.filter((each) => each !== 'bash')) {
          expect(decision(tool, reads(path))).toBeUndefined();
          expect(decision(tool, [...reads('/w/a'), ...writes(path)])).toBeUndefined();
        }
      }
      expect(decision('read', writes('/w/a'))).toBeUndefined();
      expect(decision('read')).toBeUndefined();
    },
  );

  it('strict asks before every write and every command', () => {
    const decision = (tool: string, paths = reads()) =>
      evaluatePolicy(preset('strict'), actionOf(tool, { paths }))?.decision;
    for (const path of [...inside, ...outside]) {
      for (const tool of ['write', 'edit', 'bash']) expect(decision(tool, writes(path))).toBe('escalate');
    }
    expect(decision('read', reads('/w/a'))).toBeUndefined();
    expect(decision('read', reads('/etc/passwd'))).toBeUndefined();
  });

  it('say plainly what can be undone', () => {
    for (const name of names) {
      const rules = [...preset(name).verify, ...preset(name).allow];
      const changing = rules.filter(
        ({ match }) =>
          match.host === undefined && match.tool?.some((tool) => ['write', 'bash'].includes(tool)),
      );
      expect(changing.length).toBe(2);
      for (const { reason } of changing) expect(reason).toMatch(/can be undone/);
    }
  });

  it('never allow a tool they do not name, whatever it is called and touches [A3]', () => {
    const tool = fc.oneof(
      fc.string(),
      fc.constantFrom('Read', 'read ', ' bash', 'bash\0', 'mcp_x_bash', '*', '', 'toString'),
      fc.constantFrom(...known).chain((name) => fc.string({ minLength: 1 }).map((more) => name + more)),
    );
    const paths = fc.array(
      fc.constantFrom(...reads(...inside, ...outside), ...writes(...inside, ...outside)),
    );
    const group = fc.constantFrom('core', '', 'mcp');
    fc.assert(
      fc.property(tool, paths, group, fc.option(fc.string(), { nil: '' }), (name, each, of, command) => {
        fc.pre(!known.includes(name));
        for (const policy of names.map(preset)) {
          expect(evaluatePolicy(policy, actionOf(name, { paths: each, group: of, command }))).toBeUndefined();
        }
      }),
    );
  });

  it.each(names)('%s cut short at any byte is an error, or allows nothing more [A3] [FT24]', (name) => {
    const whole = preset(name);
    const allowed = (policy: Policy): readonly number[] =>
      samples.flatMap((action, n) => (evaluatePolicy(policy, action)?.decision === 'allow' ? [n] : []));
    const before = new Set(allowed(whole));
    const bytes = Buffer.from(presetPolicies[name]);
    let parsed = 0;
    for (let size = 0; size < bytes.length; size++) {
      const cut = parseOrUndefined(bytes.subarray(0, size).toString('utf8'));
      if (cut === undefined) continue;
      parsed += 1;
      expect(allowed(cut).filter((n) => !before.has(n))).toEqual([]);
    }
    expect(parsed).toBeGreaterThan(0);
  });
});

function parseOrUndefined(text: string): Policy | undefined {
  try {
    return parsePolicy(text, 'cut.yaml');
  } catch {
    return undefined;
  }
}
