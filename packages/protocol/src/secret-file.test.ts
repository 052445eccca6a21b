import { describe, expect, it } from 'vitest';
import { isSecretFile } from './secret-file.ts';

describe('isSecretFile', () => {
  it.each([
    '.env',
    '.env.local',
    '.env.production.local',
    'apps/web/.env',
    '.npmrc',
    '.pypirc',
    'a/b/.pgpass',
  ])('admits %s, the settings of a project', (path) => {
    expect(isSecretFile(path)).toBe(true);
  });

  it.each([
    ...['id_rsa', 'server.pem', 'tls.key', '.netrc', '.git-credentials', '.htpasswd', '.vault-token'],
    ...['.ssh/.env', '.aws/.env', '.docker/.npmrc', '.git/.env', '.bulkhead/.env', '.bulkhead-scratch/.env'],
    ...['.env.example', '.env.sample', 'src/index.ts', 'env', ''],
    ...['/etc/.env', '../.env', './.env', 'a//.env', 'a/../.env', '.env/', '.ENV', '.env\0'],
  ])('does not admit %j', (path) => {
    expect(isSecretFile(path)).toBe(false);
  });
});
