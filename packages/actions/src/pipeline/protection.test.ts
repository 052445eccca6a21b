import type { Action, ActionPath } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { protect, refuseUnsafeWorkingFolder } from './protection.ts';

const places = { home: '/home/u/.bulkhead', readableOutputs: '/home/u/.bulkhead/state/outputs/s1' };

function action(path: string, access: ActionPath['access'], workingFolder = '/home/u/project'): Action {
  return {
    id: 'a',
    sessionId: 's1',
    runId: 'r',
    callId: 'c',
    tool: access === 'read' ? 'read' : 'write',
    arguments: {},
    canonical: '{}',
    hash: '',
    time: '',
    metadata: { workingFolder, paths: [{ path, access }], group: 'files', effect: 'pure' },
  };
}

const ruleOf = (path: string, access: ActionPath['access'], folder?: string) =>
  protect(action(path, access, folder), places)?.rule;

describe('protect', () => {
  it.each([
    ['/home/u/project', 'read'],
    ['/home/u/project/src/a.ts', 'write'],
    ['/home/u/project/.git/HEAD', 'read'],
    ['/home/u/project/.env.example', 'read'],
    ['/home/u/project/environment.md', 'write'],
    ['/home/u/project/monkey.ts', 'read'],
    ['/home/u/.bulkhead/state/outputs/s1/a.txt', 'read'],
  ] as const)('leaves %s to the policy (%s)', (path, access) => {
    expect(ruleOf(path, access)).toBeUndefined();
  });

  it.each([
    ['/etc/passwd', 'read'],
    ['/home/u/project2/a', 'read'],
    ['/home/u', 'read'],
    ['/', 'read'],
  ] as const)('keeps file tools inside the working folder: %s [A2]', (path, access) => {
    expect(ruleOf(path, access)).toBe('protection/outside');
  });

  it.each([
    ['/home/u/.bulkhead/config.yaml', 'read'],
    ['/home/u/.bulkhead/state/outputs/s1/a.txt', 'write'],
    ['/home/u/.bulkhead/state/outputs/s2/a.txt', 'read'],
    ['/home/u/.bulkhead/state/bulkhead.db', 'write'],
  ] as const)('keeps the engine’s own files out of reach, wherever one works: %s [A2]', (path, access) => {
    expect(ruleOf(path, access, '/home/u')).toBe('protection/engine-files');
  });

  it.each(['.env', 'deep/er/.ENV.', '.ssh/config', 'a/.aws/credentials', 'server.pem'])(
    'keeps credentials from being read or written: %s [A2]',
    (name) => {
      expect(ruleOf(`/home/u/project/${name}`, 'read')).toBe('protection/credentials');
      expect(ruleOf(`/home/u/project/${name}`, 'write')).toBe('protection/credentials');
      expect(protect(action(`/home/u/project/${name}`, 'read'), places)?.reason).toBe(
        `/home/u/project/${name} may hold credentials: it is neither read nor written`,
      );
    },
  );

  it.each(['.git/hooks/pre-commit', 'sub/.GIT/config', '.bulkhead/policy.yaml'])(
    'refuses to write what is run or obeyed later, there or not yet: %s [A2]',
    (name) => {
      expect(ruleOf(`/home/u/project/${name}`, 'write')).toBe('protection/executed-later');
    },
  );
});

describe('files that other programs run unasked', () => {
  it.each(['.vscode/tasks.json', 'sub/.husky/pre-commit', '.envrc', '.github/workflows/ci.yml'])(
    'are written once a person has said yes, and read without: %s [FT14]',
    (name) => {
      const path = `/home/u/project/${name}`;
      const verdict = protect(action(path, 'write'), places);
      expect(verdict?.decision).toBe('escalate');
      expect(verdict?.reason).toContain(`${path} is run automatically by `);
      expect(ruleOf(path, 'read')).toBeUndefined();
    },
  );

  it('are asked about by the name in the call and by where it leads, and never is always stronger [FT14]', () => {
    const of = (path: string, named: string) => {
      const base = action(path, 'write');
      return protect(
        { ...base, metadata: { ...base.metadata, paths: [{ path, named, access: 'write' }] } },
        places,
      )?.decision;
    };
    expect(of('/home/u/project/.vscode/tasks.json', 'link/tasks.json')).toBe('escalate');
    expect(of('/home/u/project/src/a.ts', '.vscode/../src/a.ts')).toBe('escalate');
    expect(of('/home/u/project/src/a.ts', '.git/../src/a.ts')).toBe('block');
    expect(of('/home/u/project/src/a.ts', './/src/b/../a.ts')).toBeUndefined();
  });
});

describe('refuseUnsafeWorkingFolder', () => {
  it('refuses the whole machine and our own home', () => {
    expect(() => refuseUnsafeWorkingFolder('/', '/home/u/.bulkhead')).toThrow('whole machine');
    expect(() => refuseUnsafeWorkingFolder('/home/u/.bulkhead/state', '/home/u/.bulkhead')).toThrow('itself');
    expect(() => refuseUnsafeWorkingFolder('/home/u', '/home/u/.bulkhead')).not.toThrow();
  });
});
