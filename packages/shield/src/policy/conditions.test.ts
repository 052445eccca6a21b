import type { ToolAnnotation } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { actionOf, policyText } from '../testing.ts';
import { explainPolicy } from './explain-policy.ts';
import { parsePolicy } from './parse-policy.ts';
import type { PolicyFacts, StartedBy } from './policy-case.ts';

const explain = (
  list: 'deny' | 'verify' | 'allow',
  match: string,
  action: ReturnType<typeof actionOf>,
  facts: PolicyFacts,
) => explainPolicy(parsePolicy(policyText(list, match), 'p'), action, facts);

/** Which of deny, verify and allow a match holds in. */
function holdsIn(match: string, facts: PolicyFacts, action = actionOf('send')): string {
  const lists = ['deny', 'verify', 'allow'] as const;
  return lists.filter((list) => explain(list, match, action, facts).verdict !== undefined).join(' ');
}

const EVERYWHERE = 'deny verify allow';

describe('conditions about the session', () => {
  it.each<[string, PolicyFacts, string]>([
    ['{ channel: terminal }', { channel: 'terminal' }, EVERYWHERE],
    ['{ channel: terminal }', { channel: 'Terminal' }, ''],
    ['{ channel: terminal }', {}, 'deny verify'],
    ['{ channel: client }', { channel: 'web' }, EVERYWHERE],
    ['{ channel: client }', { channel: 'telegram' }, ''],
    ['{ sender: owner }', { sender: 'owner' }, EVERYWHERE],
    ['{ sender: [owner, tg-7] }', { sender: 'tg-8' }, ''],
    ['{ sender: owner }', {}, 'deny verify'],
    ['{ profile: work }', { profile: 'work' }, EVERYWHERE],
    ['{ profile: work }', { profile: 'home' }, ''],
    ['{ profile: work }', {}, 'deny verify'],
    ['{ sessionMode: normal }', { modes: ['normal'] }, EVERYWHERE],
    ['{ sessionMode: otr }', { modes: ['otr', 'unattended'] }, 'deny verify'],
    ['{ sessionMode: [otr, unattended] }', { modes: ['otr', 'unattended'] }, EVERYWHERE],
    ['{ sessionMode: dry-run }', { modes: ['normal'] }, ''],
    ['{ sessionMode: normal }', {}, 'deny verify'],
    [
      '{ taint: { secrecy: [restricted, critical] } }',
      { taint: { secrecy: 'critical', trust: 'user' } },
      EVERYWHERE,
    ],
    ['{ taint: { secrecy: restricted } }', { taint: { secrecy: 'public', trust: 'user' } }, ''],
    ['{ taint: { secrecy: public, trust: external } }', { taint: { secrecy: 'public', trust: 'user' } }, ''],
    [
      '{ taint: { secrecy: public, trust: user } }',
      { taint: { secrecy: 'public', trust: 'user' } },
      EVERYWHERE,
    ],
    ['{ taint: { trust: user } }', {}, 'deny verify'],
    [
      '{ time: { zone: UTC, from: "09:00", to: "10:00" } }',
      { now: Date.parse('2026-07-06T09:30:00Z') },
      EVERYWHERE,
    ],
    ['{ time: { zone: UTC, from: "09:00", to: "10:00" } }', { now: Date.parse('2026-07-06T10:30:00Z') }, ''],
    ['{ time: { zone: UTC, from: "09:00" } }', {}, 'deny verify'],
  ])('%s with %j holds in: %s [H1]', (match, facts, lists) => {
    expect(holdsIn(match, facts)).toBe(lists);
  });

  it('say why they do not hold [H1]', () => {
    const because = (match: string, facts: PolicyFacts) =>
      explain('allow', match, actionOf('send'), facts).passed[0]?.because;
    expect(because('{ channel: web }', { channel: 'terminal' })).toBe('channel is "terminal"');
    expect(because('{ channel: web }', {})).toBe('channel is not known');
    expect(because('{ sender: owner }', { sender: 'tg-7' })).toBe('sender is "tg-7"');
    expect(because('{ sessionMode: otr }', { modes: ['normal'] })).toBe(
      'session mode "normal" does not match',
    );
    expect(because('{ time: { zone: UTC, to: "01:00" } }', { now: 7_200_000 })).toBe('it is another time');
    expect(because('{ taint: { secrecy: public } }', { taint: { secrecy: 'critical', trust: 'user' } })).toBe(
      'secrecy is "critical"',
    );
  });
});

describe('conditions about recipients', () => {
  const annotation: ToolAnnotation = {
    tool: 'send',
    effect: 'send',
    sink: 'mail',
    arguments: { to: 'recipient', subject: 'content' },
    result: { writer: 'service' },
  };
  const annotations = new Map([['send', annotation]]);
  const sendTo = (to: unknown) => ({ ...actionOf('send'), arguments: { to, subject: 'eve@evil.example' } });

  it.each<[string, unknown, string]>([
    ['"*@example.org"', 'ann@example.org', EVERYWHERE],
    ['"*@example.org"', 'Ann@Example.ORG', EVERYWHERE],
    ['"*@example.org"', ['ann@example.org', 'eve@evil.example'], 'deny verify'],
    ['"*@example.org"', 'eve@evil.example,ann@example.org', ''],
    ['"*@example.org"', 'eve@evil.example@example.org', ''],
    ['"*@example.org"', [], ''],
    ['"*"', { nested: 'ann@example.org' }, 'deny verify'],
    ['[ann, "b?b"]', ['bob', 'ann'], EVERYWHERE],
  ])('{ recipient: %s } for %j holds in: %s [H1]', (pattern, to, lists) => {
    expect(holdsIn(`{ recipient: ${pattern} }`, { annotations }, sendTo(to))).toBe(lists);
  });

  it('hold in deny and verify for a tool without annotations [H1] [A3]', () => {
    expect(holdsIn('{ recipient: ann }', { annotations }, actionOf('mcp_send'))).toBe('deny verify');
    expect(holdsIn('{ recipient: ann }', {}, sendTo('bob'))).toBe('deny verify');
  });
});

describe('conditions about program and arguments', () => {
  const command = actionOf('bash', { command: 'x' });
  const parsed =
    (...commands: (readonly (string | undefined)[])[]): StartedBy =>
    () =>
      commands.map((words) => ({ words, plain: true }));

  it.each<[string, StartedBy | undefined, string]>([
    ['"git push **"', parsed(['git', 'push', 'origin']), EVERYWHERE],
    ['"git push **"', parsed(['ls'], ['git', 'push']), 'deny verify'],
    ['["git push **", ls]', parsed(['ls'], ['git', 'push']), EVERYWHERE],
    ['"git push **"', parsed(['/usr/bin/git', 'push']), 'deny verify'],
    ['"git push **"', parsed(['./git', 'push']), 'deny verify'],
    ['"/usr/bin/git push"', parsed(['git', 'push']), ''],
    ['"rm **"', parsed([undefined, 'x']), 'deny verify'],
    ['"**"', parsed(), ''],
    ['"rm **"', () => undefined, 'deny verify'],
    ['"rm **"', undefined, 'deny verify'],
    ['"git status"', () => [{ words: ['git', 'status'], plain: false }], 'deny verify'],
  ])('{ argv: %s }, case %# [H1]', (pattern, startedBy, lists) => {
    const facts = startedBy === undefined ? {} : { startedBy };
    expect(holdsIn(`{ argv: ${pattern} }`, facts, command)).toBe(lists);
  });

  it('never hold for what is no command [H1]', () => {
    expect(holdsIn('{ argv: "**" }', {}, actionOf('read'))).toBe('');
  });
});

it('a deny rule about a path holds for a folder that a person allowed a command to read [A2]', () => {
  const toolchains = [{ path: '/home/ada/clients/bin', identity: '1' }];
  const command = actionOf('bash', { command: 'x', toolchains });
  expect(holdsIn('{ path: "/home/ada/clients/**" }', {}, command)).toBe('deny');
  expect(holdsIn('{ path: "/home/ada/other/**" }', {}, command)).toBe('');
  expect(holdsIn('{ path: "/home/ada/clients/**", access: write }', {}, command)).toBe('');
});

it('a deny rule about a path holds for a file that a person allowed a command to read [A2]', () => {
  const command = actionOf('bash', { command: 'x', workingFolder: '/w', secretFiles: ['apps/.env'] });
  expect(holdsIn('{ path: "/w/apps/.env" }', {}, command)).toBe('deny');
  expect(holdsIn('{ path: "/w/.env" }', {}, command)).toBe('');
});

it('a deny rule about writing holds for a folder that a person allowed a command to change [A2]', () => {
  const folder = { path: '/home/ada/clients', identity: '1' };
  const command = (write: boolean) =>
    actionOf('bash', { command: 'x', folders: [{ ...folder, ...(write ? { write } : {}) }] });
  const rule = '{ path: "/home/ada/clients", access: write }';
  expect([holdsIn(rule, {}, command(true)), holdsIn(rule, {}, command(false))]).toEqual(['deny', '']);
  expect(holdsIn('{ path: "/home/ada/clients", access: read }', {}, command(false))).toBe('deny');
});

it('a condition about the working folder holds for the session’s [H1]', () => {
  expect(holdsIn('{ folder: "/w" }', {})).toBe(EVERYWHERE);
  expect(holdsIn('{ folder: "/w/**" }', {})).toBe(EVERYWHERE);
  expect(holdsIn('{ folder: "/x/**" }', {})).toBe('');
});
