import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchFolder } from '@bulkhead/home/folder/watch-folder';
import { BulkheadError, homeLayout, systemTimers } from '@bulkhead/protocol';
import { explainPolicy, presetPolicies } from '@bulkhead/shield';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AnsweredRule } from '../approvals/answered-rule.ts';
import { answeredRule } from '../approvals/answered-rule.ts';
import { buildAction } from '../pipeline/canonical-action.ts';
import { addAlwaysRule } from './always-file.ts';
import { type PolicyChange, PolicyKeeper } from './policy-keeper.ts';
import { readPolicy } from './read-policy.ts';

let root = '';
const layout = () => homeLayout(root);
const path = (name = 'mine.yaml') => join(layout().policies, name);
const POLICY = `version: 1
name: mine
rules:
  deny: [{ name: no-push, match: { command: 'git push**' }, reason: it publishes }]
  verify: [{ name: ask, match: { tool: bash }, by: human, reason: a command }]
  allow:
    - name: reads
      match: { tool: read }
      minTier: 1
      reason: reads
`;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'policy-')));
  mkdirSync(layout().policies, { mode: 0o700 });
  writeFileSync(path(), POLICY);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function keeper() {
  const told: PolicyChange[] = [];
  const kept = new PolicyKeeper(
    readPolicy(layout(), 'mine'),
    () => readPolicy(layout(), 'mine'),
    (change) => told.push(change),
  );
  return { kept, told };
}

const bash = (command: string, workingFolder = '/w') =>
  buildAction(
    { sessionId: 's', runId: 'r', callId: 'c', tool: 'bash', workingFolder },
    { name: 'bash', group: 'shell' },
    { arguments: { command }, effect: 'once', paths: [], command },
    { id: 'a', time: 0 },
  );

describe('a policy that changes', () => {
  it('is taken over whole, under another version [FT24]', () => {
    const { kept, told } = keeper();
    const before = kept.current;
    writeFileSync(path(), POLICY.replace('no-push', 'never-push'));
    expect(kept.current).toBe(before);
    kept.reload();
    kept.reload();
    expect(kept.current.deny[0]?.name).toBe('never-push');
    expect(kept.current.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(kept.current.digest).not.toBe(before.digest);
    expect(told).toMatchObject([{ what: 'changed', before: before.digest }]);
  });

  it('cut short at any byte keeps the old one or denies and asks no less, and says so once [FT24]', () => {
    const { kept, told } = keeper();
    const before = kept.current;
    let refused = 0;
    for (let size = 0; size < POLICY.length; size += 1) {
      writeFileSync(path(), POLICY.slice(0, size));
      kept.reload();
      kept.reload();
      if (kept.problem !== undefined) {
        refused += 1;
        expect(kept.current.deny).toEqual(before.deny);
      }
      expect(kept.current.deny).toEqual(before.deny);
      expect(kept.current.verify).toEqual(before.verify);
      for (const rule of kept.current.allow) expect(rule).toMatchObject({ name: 'reads', minTier: 1 });
    }
    expect(refused).toBeGreaterThan(POLICY.length - 20);
    expect(told.filter(({ what }) => what === 'refused').length).toBeGreaterThan(0);
    writeFileSync(path(), POLICY);
    kept.reload();
    expect(kept.problem).toBeUndefined();
    expect(kept.current.digest).toBe(before.digest);
  });

  it('that is deleted stays in force, and nothing starts without it [FT24]', () => {
    const { kept, told } = keeper();
    rmSync(path());
    kept.reload();
    kept.reload();
    expect(kept.current.name).toBe('mine');
    expect(kept.problem?.message).toContain(`the policy ${path()} is not there`);
    expect(told).toHaveLength(1);
    const error = BulkheadError.from(errorOf(() => readPolicy(layout(), 'mine')));
    expect(error).toMatchObject({ code: 'config_invalid' });
    expect(error.fix).toContain('bulkhead policy show default --preset');
  });

  it('is noticed automatically soon after it was written [FT24]', async () => {
    const { kept } = keeper();
    const failed: unknown[] = [];
    using _watching = watchFolder(
      { folder: layout().policies, recursive: false, quietMs: 10, pollMs: 1_000 },
      systemTimers,
      () => kept.reload(),
      (error) => failed.push(error),
    );
    writeFileSync(path(), POLICY.replace('no-push', 'by-itself'));
    await expect.poll(() => kept.current.deny[0]?.name).toBe('by-itself');
    expect(failed).toEqual([]);
  });
});

describe('a permanent approval', () => {
  const ruleOf = (command: string, folder?: string): AnsweredRule => {
    const rule = answeredRule(bash(command, folder));
    if (rule === undefined) throw new Error('there is no rule');
    return rule;
  };
  const decision = (command: string, folder?: string) =>
    explainPolicy(readPolicy(layout(), 'mine'), bash(command, folder)).verdict?.decision;

  it('allows exactly what was asked about, in the folder it was asked in [A6]', () => {
    for (const command of [
      'ls *.{a,b} "[x]\\\\" ?',
      'echo "$(date)" | tee a > b\n; ls',
      '# \u2028 ü',
      "it's: {a}",
    ]) {
      expect(decision(command)).toBe('escalate');
      addAlwaysRule(layout(), ruleOf(command));
      expect(decision(command)).toBe('allow');
      expect(decision(`${command} `)).toBe('escalate');
      expect(decision(command, '/elsewhere')).toBe('escalate');
    }
    expect(decision('ls x.{a,b} "[x]\\\\" y')).toBe('escalate');
    expect(readPolicy(layout(), 'mine').answered).toHaveLength(4);
  });

  it('is written once, and keeps what the user wrote there [A6]', () => {
    addAlwaysRule(layout(), ruleOf('ls'));
    writeFileSync(path('always.yaml'), `# mine\n${readFileSync(path('always.yaml'), 'utf8')}`);
    addAlwaysRule(layout(), ruleOf('ls'));
    addAlwaysRule(layout(), ruleOf('pwd'));
    expect(readFileSync(path('always.yaml'), 'utf8')).toMatch(/^# mine\n/);
    expect(readPolicy(layout(), 'mine').answered).toHaveLength(2);
  });

  it('never opens what the policy denies [A6]', () => {
    addAlwaysRule(layout(), ruleOf('git push origin'));
    expect(decision('git push origin')).toBe('block');
  });

  it('changes the version of the policy [FT24]', () => {
    const before = readPolicy(layout(), 'mine').digest;
    addAlwaysRule(layout(), ruleOf('ls'));
    expect(readPolicy(layout(), 'mine').digest).not.toBe(before);
  });

  it.each([
    ['is broken', 'version: [1'],
    ['denies', POLICY],
    [
      'leaves to other tiers',
      presetPolicies.strict
        .replace(/verify:.*allow:/s, 'verify: []\n  allow:')
        .replace('      reason', '      minTier: 1\n      reason'),
    ],
  ])('is not written into a file that %s, and that file is no policy [A6]', (_what, text) => {
    writeFileSync(path('always.yaml'), text);
    expect(() => addAlwaysRule(layout(), ruleOf('ls'))).toThrow(BulkheadError);
    expect(readFileSync(path('always.yaml'), 'utf8')).toBe(text);
    expect(() => readPolicy(layout(), 'mine')).toThrow(BulkheadError);
  });
});

function errorOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
