import { describe, expect, it } from 'vitest';
import type { FlowCall } from './call.ts';
import { callOf, openTestSession } from './testing/test-session.ts';

const PLACE = 'registry.example:443';

/** A command with a permission for a server that its arguments do not name. */
function granted(command: string): FlowCall {
  const call = callOf('bash', { command });
  const { metadata = { workingFolder: '/w', paths: [] } } = call;
  return { ...call, metadata: { ...metadata, granted: [PLACE] } };
}

describe('a command that a person lets reach a server', () => {
  it('may not take a secret there: a permission for a host is none for data [F3]', () => {
    const { session, got } = openTestSession({ request: 'Install the packages.' });
    const install = granted('npm install left-pad');
    expect(session.decide(install).decision).toBe('allow');
    got('read', { path: '.env' }, 'API_TOKEN=q8Zr55TTn0vbX1');
    expect(session.decide(callOf('bash', { command: 'npm install left-pad' })).decision).toBe('allow');
    expect(session.decide(install)).toMatchObject({ decision: 'escalate', rule: 'secret-may-leave' });
    expect(session.decide(granted('npm install q8Zr55TTn0vbX1'))).toMatchObject({
      decision: 'block',
      rule: 'secret-leaves',
    });
  });

  it('may not take a secret there though the user named the command and all its words [F3]', () => {
    const { session, got } = openTestSession({ request: 'Run npm install and fix what fails.' });
    expect(session.decide(granted('npm install')).decision).toBe('allow');
    got('read', { path: '.env' }, 'API_TOKEN=q8Zr55TTn0vbX1');
    expect(session.decide(granted('npm install'))).toMatchObject({
      decision: 'escalate',
      rule: 'secret-may-leave',
    });
    // Without a permission it reaches no server.
    expect(session.decide(callOf('bash', { command: 'npm install' })).decision).toBe('allow');
  });

  it('gives text that others may have written [F1]', () => {
    const { session } = openTestSession({ request: 'Install the packages.' });
    session.observeResult(callOf('bash', { command: 'npm install' }), 'added 1 package');
    expect(session.label.trust).not.toBe('external');
    session.observeResult(granted('npm install'), 'added 1 package');
    expect(session.label.trust).toBe('external');
    // The person chose the server; what was read since does not make it another one.
    expect(session.decide(granted('npm install left-pad')).decision).toBe('allow');
  });
});
