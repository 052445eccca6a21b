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

const heldBack = { everyCommandAsks: () => undefined };

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

  it('leaves one that keeps running to the policy if its writes are held back to its end [B2]', () => {
    const serve = action({ command: 'serve', background: true });
    expect(uncontained(serve, heldBack)).toBeUndefined();
    const question = { reason: 'it writes', rule: 'commands/background' as const };
    const asks = (_folder: string, background: boolean) => (background ? question : undefined);
    expect(uncontained(serve, { everyCommandAsks: asks })).toMatchObject({
      decision: 'escalate',
      rule: 'commands/background',
      reason: 'it writes; what it writes can not be undone',
    });
    expect(uncontained(action({ command: 'ls' }), { everyCommandAsks: asks })).toBeUndefined();
  });

  it('asks about one that is to see and write the folder itself meanwhile [B2]', () => {
    const watch = action({ command: 'watch', background: true, live: true });
    expect(uncontained(watch, heldBack)).toMatchObject({
      decision: 'escalate',
      rule: 'commands/background',
    });
  });

  it('asks about one that keeps running and reaches hosts: nothing of it can be held back [B2] [B4]', () => {
    const serve = action({ command: 'serve', background: true, hosts: ['a.example'] });
    expect(uncontained(serve, heldBack)).toMatchObject({
      decision: 'escalate',
      rule: 'commands/background',
    });
  });

  it('asks about every command where none can be held back, and about nothing else', () => {
    const because = (rule: 'commands/unboxed' | 'commands/live') => ({
      everyCommandAsks: () => ({ reason: 'no box here', rule }),
    });
    const question = because('commands/unboxed');
    const verdict = uncontained(action({ command: 'ls' }), question);
    expect(verdict).toMatchObject({
      decision: 'escalate',
      rule: 'commands/unboxed',
      reason: 'no box here; what it writes can not be undone',
    });
    const live = uncontained(action({ command: 'ls' }), because('commands/live'));
    expect(live).toMatchObject({ decision: 'escalate', rule: 'commands/live' });
    expect(uncontained(action({ hosts: ['a.example'] }), question)).toBeUndefined();
  });
});
