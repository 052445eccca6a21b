import { describe, expect, it } from 'vitest';
import { changeRefusal } from './change-refusal.ts';
import { folderRefusal, pathRefusal } from './protected-names.ts';

const ruleOf = (path: string, access: 'read' | 'write') => pathRefusal(path.split('/'), access)?.rule;

describe('pathRefusal', () => {
  it.each([
    '.env',
    '.env.production',
    'deep/er/.env',
    '.ENV',
    '.env.',
    '.env ',
    '.e\u200bnv',
    '．env',
    '.ssh/config',
    '.ssh',
    'a/.aws/credentials',
    '.AWS./x',
    'id_rsa',
    'server.pem',
    'Server.KEY',
    '.git-credentials',
    '.git/server.pem',
    '.git/.aws/config',
  ])('keeps credentials from being read or written: %s [A2]', (path) => {
    expect(ruleOf(path, 'read')).toBe('credentials');
    expect(ruleOf(path, 'write')).toBe('credentials');
  });

  it.each(['.git/hooks/pre-commit', 'sub/.git/config', '.GIT/hooks/x', '.git', '.bulkhead/policy.yaml'])(
    'refuses to write what is run or obeyed later, not to read it: %s [A2]',
    (path) => {
      expect(ruleOf(path, 'write')).toBe('executed-later');
      expect(ruleOf(path, 'read')).toBeUndefined();
    },
  );

  it.each([
    '.bulkhead-scratch',
    '.bulkhead-scratch/x/journal',
    'a/b/.Bulkhead-Scratch./x',
    'node_modules/.bulkhead-scratch/x',
  ])('refuses the scratch of commands, to read and to write: %s [A2]', (path) => {
    expect(ruleOf(path, 'read')).toBe('executed-later');
    expect(ruleOf(path, 'write')).toBe('executed-later');
    expect(changeRefusal(path.split('/'), 'created', 'file')?.decision).toBe('block');
  });

  it.each([
    'src/a.ts',
    '.env.example',
    'environment.md',
    'monkey.ts',
    '.gitignore',
    '.github/x.yml',
    '.env/lib/a.py',
    'a.pem/b',
  ])('leaves other names alone: %s', (path) => {
    expect(ruleOf(path, 'read')).toBeUndefined();
    expect(ruleOf(path, 'write')).toBeUndefined();
  });

  it('leaves the root itself alone', () => {
    expect(pathRefusal([], 'write')).toBeUndefined();
  });
});

describe('folderRefusal', () => {
  it('stops at folders of credentials, and on the way to a write at what is obeyed [A2]', () => {
    expect(folderRefusal('.Ssh', 'read')?.rule).toBe('credentials');
    expect(folderRefusal('.ssh', 'write')?.rule).toBe('credentials');
    expect(folderRefusal('.git', 'read')).toBeUndefined();
    expect(folderRefusal('.git', 'write')?.rule).toBe('executed-later');
    expect(folderRefusal('.env', 'read')).toBeUndefined();
  });
});
