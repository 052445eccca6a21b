import type { Action, ActionMetadata } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { uncontained } from './uncontained.ts';

function action(metadata: Partial<ActionMetadata>): Action {
  return {
    id: 'a',
    sessionId: 's1',
    runId: 'r',
    callId: 'c',
    tool: 'bash',
    arguments: {},
    canonical: '{}',
    hash: '',
    time: '',
    metadata: { workingFolder: '/w', paths: [], group: 'shell', effect: 'once', ...metadata },
  };
}

const heldBack = () => undefined;

describe('uncontained', () => {
  it('leaves a command that waits for its judgement to the policy', () => {
    expect(uncontained(action({ command: 'ls' }), heldBack)).toBeUndefined();
    expect(uncontained(action({ command: 'ls', hosts: [] }), heldBack)).toBeUndefined();
  });

  it('asks about one that reaches hosts, naming them [B2] [B4]', () => {
    const verdict = uncontained(action({ command: 'curl x', hosts: ['a.example', 'b.example'] }), heldBack);
    expect(verdict).toMatchObject({ decision: 'escalate', rule: 'commands/network' });
    expect(verdict?.reason).toContain('a.example, b.example');
  });

  it('asks about one that keeps running in the background [B2]', () => {
    expect(uncontained(action({ command: 'serve', background: true }), heldBack)).toMatchObject({
      decision: 'escalate',
      rule: 'commands/background',
    });
  });

  it('asks about every command where none can be held back, and about nothing else', () => {
    const question = () => ({ reason: 'no box here', rule: 'commands/unboxed' as const });
    const verdict = uncontained(action({ command: 'ls' }), question);
    expect(verdict).toMatchObject({
      decision: 'escalate',
      rule: 'commands/unboxed',
      reason: 'no box here; what it writes can not be undone',
    });
    const live = uncontained(action({ command: 'ls' }), () => ({
      ...question(),
      rule: 'commands/live' as const,
    }));
    expect(live).toMatchObject({ decision: 'escalate', rule: 'commands/live' });
    expect(uncontained(action({ hosts: ['a.example'] }), question)).toBeUndefined();
  });
});
