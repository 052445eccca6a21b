import type { ListedEntry } from '@bulkhead/engine/offline/audit';
import type { SessionEvent } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { verdictLines } from './verdict-lines.ts';

const entry = (step: string, details: object): ListedEntry => ({
  n: 1,
  line: '{}',
  time: '2026-01-01T00:00:00.000Z',
  step,
  action: 'a1',
  session: 's',
  tool: 'bash',
  details,
});

const verdict = (action: string, decision: string, rule: string, reason: string): SessionEvent =>
  ({
    type: 'shield_verdict',
    seq: 1,
    session: 's',
    action,
    hash: 'h',
    decision,
    tier: 1,
    rule,
    reason,
  }) as unknown as SessionEvent;

describe('verdictLines', () => {
  it('tells each step, with the reason of each verdict [A2]', () => {
    const told = verdictLines(
      [
        entry('PROPOSED', { sender: 'owner', channel: 'cli', paths: ['write /work'], hosts: ['a.test:443'] }),
        entry('PROPOSED', {
          channel: 'cli',
          granted: ['b.test:443'],
          toolchains: ['/home/ada/.tools'],
          secretFiles: ['.env'],
        }),
        entry('EVALUATED', { decision: 'allow', rule: 'analysis', tier: 1 }),
        entry('STARTED', {}),
        entry('EVALUATED', { about: 'needs', decision: 'escalate', targets: ['b.test:443'] }),
        entry('APPROVED', { by: 'person', approver: 'tui/owner', scope: 'session' }),
        entry('EVALUATED', { about: 'effects', changes: 3, decision: 'block', rule: 'effects/loss' }),
        entry('REFUSED', { reason: 'it would delete 9 files' }),
      ],
      [
        verdict('other', 'allow', 'analysis', 'not this one'),
        verdict('a1', 'allow', 'analysis', 'it only reads'),
        verdict('a1', 'escalate', 'needs/hosts', 'it needs b.test'),
        verdict('a1', 'block', 'effects/loss', 'nine files would be lost'),
      ],
    );
    expect(told.map(({ text }) => text)).toEqual([
      'proposed by the model, for owner over cli; it would write /work, reach a.test:443',
      'proposed by the model, for someone over cli; by a grant it may reach b.test:443, run programs in /home/ada/.tools, read .env',
      'judged: allow by analysis (tier 1)',
      'begun',
      'it lacked b.test:443: escalate',
      'approved by tui/owner, for: session',
      'its 3 changes, judged before they were kept: block by effects/loss',
      'refused: it would delete 9 files',
    ]);
    expect(told.map(({ reason }) => reason)).toEqual([
      undefined,
      undefined,
      'it only reads',
      undefined,
      'it needs b.test',
      undefined,
      'nine files would be lost',
      undefined,
    ]);
  });

  it('gives a verdict no reason of another', () => {
    const entries = [entry('EVALUATED', { decision: 'block', rule: 'policy/x', tier: 0 })];
    expect(verdictLines(entries, [verdict('a1', 'allow', 'analysis', 'fine')])[0]?.reason).toBeUndefined();
    expect(verdictLines(entries, [])).toEqual([
      { time: '2026-01-01T00:00:00.000Z', step: 'EVALUATED', text: 'judged: block by policy/x (tier 0)' },
    ]);
  });

  it('shows what it does not know as it is', () => {
    expect(verdictLines([entry('LATER', { place: 'x', n: 2 }), entry('FAILED', {})], [])).toMatchObject([
      { text: 'place "x", n 2' },
      { text: 'failed: the result says how' },
    ]);
    // Details of an unreadable form are no facts.
    expect(verdictLines([{ ...entry('DENIED', {}), details: 'x' }], [])[0]?.text).toBe('denied by someone');
  });
});
