import { describe, expect, it } from 'vitest';
import { DELETE, READ, verdictOf, WRITE } from './testing.ts';

/** Places below the home that no spelling may open. */
const SECRET_PLACES = [
  '.ssh/id_ed25519',
  '.aws/credentials',
  '.netrc',
  '.config/gcloud/credentials.db',
  '.gnupg/secring.gpg',
];

const hex = (character: string, digits: number) =>
  (character.codePointAt(0) ?? 0).toString(16).padStart(digits, '0');
const each = (text: string, write: (character: string) => string) => [...text].map(write).join('');

/** Spellings that some program resolves to a path below the home. */
const SPELLINGS: Readonly<Record<string, (path: string) => string>> = {
  tilde: (path) => `~/${path}`,
  variable: (path) => `$HOME/${path}`,
  'variable in braces': (path) => `\${HOME}/${path}`,
  absolute: (path) => `/home/ada/${path}`,
  'double slashes': (path) => `//home///ada//${path.replaceAll('/', '//')}`,
  dots: (path) => `/home/./ada/././${path.replaceAll('/', '/./')}`,
  'there and back': (path) => `/home/ada/project/../x/../${path}`,
  'relative escape': (path) => `../${path}`,
  'deep relative escape': (path) => `src/../../../../home/ada/${path}`,
  'far escape': (path) => `${'../'.repeat(20)}home/ada/${path}`,
  'trailing slash': (path) => `~/${path}/`,
  'trailing dot': (path) => `~/${path}/.`,
  'blanks around': (path) => `  ~/${path}  `,
  'file URL': (path) => `file:///home/ada/${path}`,
  'file URL with host': (path) => `file://localhost/home/ada/${path}`,
  'upper case': (path) => `~/${path.toUpperCase()}`,
  backslashes: (path) => `~\\${path.replaceAll('/', '\\')}`,
  percent: (path) => `~/${each(path, (character) => `%${hex(character, 2)}`)}`,
  'percent twice': (path) => `~/${each(path, (character) => `%25${hex(character, 2)}`)}`,
  'percent for signs': (path) => encodeURIComponent(`../${path}`).replaceAll('.', '%2e'),
  'C escapes': (path) => each(`/home/ada/${path}`, (character) => `\\x${hex(character, 2)}`),
  'unicode escapes': (path) => each(`/home/ada/${path}`, (character) => `\\u${hex(character, 4)}`),
  'octal escapes': (path) =>
    each(
      `/home/ada/${path}`,
      (character) => `\\${(character.codePointAt(0) ?? 0).toString(8).padStart(3, '0')}`,
    ),
  'HTML entities': (path) => each(`/home/ada/${path}`, (character) => `&#${character.codePointAt(0)};`),
  'HTML hex entities': (path) => each(`/home/ada/${path}`, (character) => `&#x${hex(character, 2)};`),
  'full width': (path) =>
    `~/${each(path, (character) => (/[a-z]/.test(character) ? String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0) : character))}`,
  'Cyrillic letters': (path) =>
    `~/${path.replaceAll('e', '\u0435').replaceAll('s', '\u0455').replaceAll('a', '\u0430')}`,
  'zero width': (path) => `~/${each(path, (character) => `${character}\u200b`)}`,
  'soft hyphens': (path) => `~/${path.replace('.', '.\u00ad')}`,
  'null byte': (path) => `~/${path}\0.txt`,
  'direction override': (path) => `\u202e~/${path}`,
  'through /proc': (path) => `/proc/self/root/home/ada/${path}`,
  'through the folder of /proc': (path) => `/proc/self/cwd/../${path}`,
  'macOS volume': (path) => `/System/Volumes/Data/home/ada/${path}`,
  braces: (path) => `~/{notes,${path}}`,
  'a wildcard in the name': (path) => `~/${path.replace(/^(\..)./, '$1?')}`,
  'a class in the name': (path) => `~/${path.replace(/^\.(.)/, '.[$1]')}`,
  'another user': (path) => `/home/grace/${path}`,
  'another user by tilde': (path) => `~grace/${path}`,
  root: (path) => `/root/${path}`,
};
/** Wildcards are tested against known names; an unknown name in an unknown folder can't be. */
const WILD = new Set(['a wildcard in the name', 'a class in the name']);

const cases = Object.entries(SPELLINGS).flatMap(([name, spell]) =>
  SECRET_PLACES.filter((path) => !WILD.has(name) || !path.startsWith('.config')).map((path) => ({
    name,
    path: spell(path),
  })),
);

describe('evasion by the spelling of a path', () => {
  it(`stops each of ${cases.length} spellings of secret places [H2]`, () => {
    expect(cases.length).toBeGreaterThan(180);
    const missed = cases.filter(({ path }) => verdictOf(READ, { path }) !== 'block');
    expect(missed).toEqual([]);
  });

  it('stops them for writing and deleting, and under every preset', () => {
    for (const { path } of cases) {
      expect([path, verdictOf(WRITE, { path, content: '' }, { preset: 'permissive' })]).not.toContain(
        'allow',
      );
      expect([path, verdictOf(DELETE, { path }, { preset: 'strict' })]).toEqual([path, 'block']);
    }
  });

  it('stops secrets of the system, of projects, and of other programs', () => {
    const places = [
      '/etc/shadow',
      '/private/etc/master.passwd',
      '/etc/sudoers',
      '/etc/ssl/private/site.pem',
      '/proc/1/environ',
      '/proc/self/environ',
      '/dev/mem',
      '/var/run/secrets/kubernetes.io/serviceaccount/token',
      '.env',
      '.env.production',
      'config/.env.local',
      'deploy/service-account.key',
      'certs/site.pem',
      'vault/secrets.yaml',
      'prod-api-keys.json',
      'access_token',
      'credentials.json',
      'db-passwords.txt',
      'auth.token',
      '~/.docker/config.json',
      '~/.kube/config',
      '~/.config/gh/hosts.yml',
      '~/.mozilla/firefox/x.default/logins.json',
      '~/Library/Keychains/login.keychain-db',
      '~/.local/share/keyrings/login.keyring',
      '~/.bitcoin/wallet.dat',
      '~/.password-store/mail.gpg',
    ];
    expect(places.filter((path) => verdictOf(READ, { path }) !== 'block')).toEqual([]);
  });

  it('lets ordinary names pass that only sound like secrets', () => {
    const places = [
      'views/password-hint.vue',
      'src/token.ts',
      'src/auth/credentials.ts',
      'docs/api-keys.html',
      'keyboard.json',
      '.env.example',
      'src/secrets.test.ts',
      'lib/key-value.json',
      'monkey.txt',
      'package-lock.json',
      'keys.py',
      'config/database.yml',
      '/usr/share/dict/words',
      '/etc/hosts',
      '/usr/include/stdio.h',
      '/tmp/build.log',
      'docs/tokens/colors.json',
    ];
    expect(places.filter((path) => verdictOf(READ, { path }) !== 'allow')).toEqual([]);
  });

  it('stops writes to what is obeyed later, and asks about the rest of the system', () => {
    const obeyed = [
      '~/.bashrc',
      '/etc/cron.d/x',
      '/etc/systemd/system/x.service',
      '~/.config/autostart/a.desktop',
      '.git/hooks/pre-commit',
      '.git/config',
      '~/Library/LaunchAgents/x.plist',
      '/etc/ld.so.preload',
      '/usr/local/bin/git',
      '~/.ssh/authorized_keys',
      '/etc/profile.d/x.sh',
      '~/.local/bin/ls',
      '/var/spool/cron/root',
    ];
    expect(obeyed.filter((path) => verdictOf(WRITE, { path, content: 'x' }) !== 'block')).toEqual([]);
    const asked = [
      '.github/workflows/ci.yml',
      '.vscode/tasks.json',
      '.envrc',
      '/opt/app/x',
      '/home/ada/elsewhere.txt',
      'AGENTS.md',
      '.husky/pre-push',
      'Jenkinsfile',
    ];
    expect(asked.filter((path) => verdictOf(WRITE, { path, content: 'x' }) !== 'escalate')).toEqual([]);
  });

  it('keeps its own files, and who it is', () => {
    for (const path of [
      '.bulkhead/config.yaml',
      '~/.bulkhead/state/audit/1.jsonl',
      'x/.BULKHEAD/y',
      'SOUL.md',
      'profile/IDENTITY.md',
      'skills/mail/SKILL.md',
    ]) {
      expect([path, verdictOf(WRITE, { path, content: 'x' })]).toEqual([path, 'block']);
    }
    expect(verdictOf(READ, { path: '~/.bulkhead/policies/default.yaml' })).toBe('block');
    expect(verdictOf(DELETE, { path: 'AGENTS.md' })).toBe('block');
    expect(verdictOf(DELETE, { path: 'logs/audit.jsonl' })).toBe('block');
  });
});
