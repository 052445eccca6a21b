import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSecrets } from './load-secrets.ts';

let path: string;
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'bulkhead-secrets-')), 'secrets.json');
});
afterEach(() => rmSync(join(path, '..'), { recursive: true, force: true }));

describe('loadSecrets', () => {
  it('knows nothing without a file', () => {
    expect(loadSecrets(path)('ANTHROPIC_API_KEY')).toBeUndefined();
  });

  it('gives what is stored, by name', () => {
    writeFileSync(path, '{"ANTHROPIC_API_KEY":"k"}', { mode: 0o600 });
    const secret = loadSecrets(path);
    expect(secret('ANTHROPIC_API_KEY')).toBe('k');
    expect(secret('toString')).toBeUndefined();
  });

  it.each([0o644, 0o640, 0o604])('refuses a file others can read: %o [D3]', (mode) => {
    writeFileSync(path, '{"ANTHROPIC_API_KEY":"k"}');
    chmodSync(path, mode);
    expect(() => loadSecrets(path)).toThrow(expect.objectContaining({ fix: `Run: chmod 600 ${path}` }));
  });

  it.each(['', '[]', '{"A":1}', 'CANARY'])('refuses %j without repeating it', (text) => {
    writeFileSync(path, text, { mode: 0o600 });
    expect(() => loadSecrets(path)).toThrow(/^(?!.*CANARY).*not a JSON object of strings/);
  });
});
