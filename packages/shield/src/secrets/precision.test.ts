import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createRedaction } from './redaction.ts';
import { drawn } from './testing.ts';

const { redact } = createRedaction([]);
const packages = fileURLToPath(new URL('../../..', import.meta.url));

const sources = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^[\w-]+\/src\/.*\.(?:ts|md|json|proto)$/.test(name))
    .filter(
      (name) => !/\.test\.ts$|\.child\.ts$|\/testing(?:\.ts$|\/)|test-certificate|^testkit\//.test(name),
    );

describe('keeps texts that are no secret', () => {
  it('in every source file of this repository that is made for no test [A7]', () => {
    const names = sources(packages);
    expect(names.length).toBeGreaterThan(300);
    const changed = names.filter((name) => {
      const text = readFileSync(`${packages}/${name}`, 'utf8');
      return redact(text) !== text;
    });
    expect(changed).toEqual([]);
  });

  it.each([
    ['a commit', `commit ${createHash('sha1').update('x').digest('hex')}`],
    ['a digest', `sha256:${createHash('sha256').update('x').digest('hex')}`],
    ['an integrity', `"integrity": "sha512-${createHash('sha512').update('x').digest('base64')}"`],
    ['a UUID', `id: ${randomUUID()}`],
    [
      'an image',
      `![x](data:image/png;base64,${Buffer.from(drawn('abcdefgh+/ 019', 3_000)).toString('base64')})`,
    ],
    [
      'a certificate',
      `-----BEGIN CERTIFICATE-----\n${drawn('ABCDefgh0123+/', 400)}\n-----END CERTIFICATE-----`,
    ],
    ['a public key', `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${drawn('ABCDefgh0123', 43)} me@host`],
    [
      'code',
      'const token = await readToken(layout); config.apiKey = process.env.API_KEY ?? options.apiKey2;',
    ],
    ['a type', 'interface Login { password: string; accessToken?: Promise<TokenResponse2024>; }'],
    ['a template', 'API_KEY=your-api-key-here SECRET=changeme PASSWORD="$DB_PASSWORD" TOKEN=<your-token>'],
    [
      'a path',
      'secret: packages/engine/src/config/secrets/open-secret-store2.ts, TOKEN_FILE=/run/secrets/token-01',
    ],
    ['words', 'Basic authentication, Bearer authentication with bearer tokens; risk-assessment-methodology2'],
    [
      'addresses',
      'http://localhost:8080/a https://example.com:443/b?c=d mailto:me@example.com git@github.com:a/b.git',
    ],
    ['numbers', 'max_tokens: 128000, input_tokens=4096, token_count = 1234567890123456'],
    ['a time', 'token expires: 2026-11-22T01:46:55.123Z'],
  ])('%s', (_what, text) => {
    expect(redact(text)).toBe(text);
  });
});
