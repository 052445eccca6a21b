import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Origin } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Grant, GrantAsked } from './grant.ts';
import { GrantService } from './grant-service.ts';

const OWNER: Origin = { channel: 'cli', sender: { id: 'owner' }, profile: 'default' };
const INSTALL: GrantAsked = { kind: 'hosts', targets: ['registry.test:443'], pattern: 'npm install' };

let root: string;
let folder: string;
let rows: Grant[];
let service: GrantService;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-grants-')));
  folder = join(root, 'work');
  mkdirSync(folder);
  rows = [];
  let next = 0;
  service = new GrantService({
    table: {
      add: (grant) => void rows.push(grant),
      remove: (id) => {
        const at = rows.findIndex((grant) => grant.id === id);
        return at >= 0 && rows.splice(at, 1).length === 1;
      },
      all: () => rows,
    },
    clock: { now: () => 1_000 },
    ids: () => {
      next += 1;
      return `grant-${next}`;
    },
  });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function action(command: string, { session = 's', origin = OWNER, where = folder, background = false } = {}) {
  const more = background ? { background: true as const } : {};
  return { sessionId: session, origin, metadata: { workingFolder: where, command, ...more } };
}

const served = (...about: Parameters<typeof action>) =>
  service.serving(action(...about)).flatMap(({ targets }) => targets);

describe('a grant for a folder of programs', () => {
  const TOOLS: GrantAsked = { kind: 'toolchain', targets: ['/home/ada/.tools'], identities: ['7'] };

  it('serves every command of its folder and holder, one in the background too [A6]', () => {
    service.keep(TOOLS, 'folder', action('cargo build'), 'cli/owner');
    for (const command of ['cargo build', 'make; ls'])
      expect(served(command, { session: 'other' })).toEqual(TOOLS.targets);
    expect(served('serve', { background: true })).toEqual(TOOLS.targets);
    const stranger = { ...OWNER, sender: { id: 'guest' } };
    expect(served('cargo build', { origin: stranger })).toEqual([]);
    mkdirSync(join(root, 'elsewhere'));
    expect(served('cargo build', { where: join(root, 'elsewhere') })).toEqual([]);
  });

  it('for every folder serves them all, and its holder only [A6]', () => {
    const kept = service.keepEverywhere([{ path: '/home/ada/.tools', identity: '7' }], OWNER);
    expect(kept).toMatchObject({ ...TOOLS, scope: 'home', folder: '', by: 'cli/owner' });
    expect(service.keepEverywhere([{ path: '/home/ada/.tools', identity: '7' }], OWNER)).toBe(kept);
    mkdirSync(join(root, 'elsewhere'));
    for (const where of [folder, join(root, 'elsewhere')])
      expect(served('make', { where })).toEqual(TOOLS.targets);
    const work = { ...OWNER, profile: 'work' };
    expect([served('make', { origin: work }), service.everywhere(work)]).toEqual([[], []]);
    expect(service.everywhere({ ...OWNER, channel: 'tui' })).toHaveLength(1);
    const later = service.keepEverywhere([{ path: '/home/ada/.tools', identity: '8' }], OWNER);
    expect(service.everywhere(OWNER), 'one of a folder that is gone is replaced').toEqual([later]);
    service.revoke(later.id);
    expect(served('make')).toEqual([]);
  });

  it('of a session ends with it, and one for another folder object is another grant', () => {
    service.keep(TOOLS, 'session', action('x'), 'cli/owner');
    expect([served('x'), served('x', { session: 'other' })]).toEqual([TOOLS.targets, []]);
    service.keep(TOOLS, 'session', action('y'), 'cli/owner');
    service.keep({ ...TOOLS, identities: ['8'] }, 'session', action('y'), 'cli/owner');
    expect(rows).toHaveLength(2);
  });
});

describe('a grant for a folder', () => {
  beforeEach(() => void service.keep(INSTALL, 'folder', action('npm install a'), 'cli/owner'));

  it('serves every command of its pattern there, in each session and client of its holder [A6]', () => {
    expect(served('npm install b')).toEqual(INSTALL.targets);
    expect(served('npm i', { session: 'other', origin: { ...OWNER, channel: 'web' } })).toEqual(
      INSTALL.targets,
    );
  });

  it.each([
    ['another command', 'npm ci', {}],
    ['more than that command', 'npm install; x', {}],
    ['a command that goes on', 'npm install', { background: true }],
    ['another sender', 'npm install', { origin: { ...OWNER, sender: { id: 'anna' } } }],
    ['another profile', 'npm install', { origin: { ...OWNER, profile: 'work' } }],
    ['a chat channel', 'npm install', { origin: { ...OWNER, channel: 'telegram' } }],
  ])('serves %s nothing [A6] [B1]', (_what, command, about) => {
    expect(served(command, about)).toEqual([]);
  });

  it('serves no other folder, not even one that takes its place', () => {
    mkdirSync(join(folder, 'sub'));
    expect(served('npm install', { where: join(folder, 'sub') })).toEqual([]);
    renameSync(folder, join(root, 'moved'));
    mkdirSync(folder);
    expect(served('npm install')).toEqual([]);
  });

  it('is stored once, however often it is given', () => {
    expect(service.keep(INSTALL, 'folder', action('npm i b'), 'web/owner').id).toBe('grant-1');
    service.keep({ ...INSTALL, targets: ['other.test:443'] }, 'folder', action('npm i'), 'cli/owner');
    service.keep(INSTALL, 'session', action('npm i'), 'cli/owner');
    service.keep(INSTALL, 'session', action('npm i', { session: 'other' }), 'cli/owner');
    service.keep(INSTALL, 'folder', action('npm i', { origin: { ...OWNER, profile: 'work' } }), 'cli/owner');
    expect(rows.map(({ id }) => id)).toEqual(['grant-1', 'grant-2', 'grant-3', 'grant-4', 'grant-5']);
  });

  it('is one of a bounded number, without those of a folder that is gone', () => {
    const keep = (port: number) =>
      service.keep({ ...INSTALL, targets: [`a.test:${port}`] }, 'folder', action('npm i'), 'cli/owner');
    for (let port = 1; port < 200; port += 1) keep(port);
    expect(() => keep(200)).toThrow('has 200 grants');
    renameSync(folder, join(root, 'moved'));
    mkdirSync(folder);
    expect(keep(200).targets).toEqual(['a.test:200']);
  });

  it('serves nothing once it is revoked', () => {
    expect(service.revoke(rows[0]?.id ?? '')).toBe(true);
    expect(served('npm install')).toEqual([]);
    expect(service.revoke('grant-1')).toBe(false);
  });
});

describe('a grant for a session', () => {
  it('serves that session and the exact command alone', () => {
    const asked: GrantAsked = { kind: 'hosts', targets: ['a.test:8443'], command: 'curl a.test' };
    service.keep(asked, 'session', action('curl a.test'), 'cli/owner');
    expect(served('curl a.test')).toEqual(['a.test:8443']);
    expect(served('curl  a.test')).toEqual([]);
    expect(served('curl a.test', { session: 'other' })).toEqual([]);
  });
});

describe('a grant for a secret file', () => {
  const FILE: GrantAsked = { kind: 'secret-file', targets: ['.env'], command: 'npm run dev' };

  it('serves that very command in each session of the folder, in the background too, and no other one [A2]', () => {
    service.keep(FILE, 'folder', action('npm run dev'), 'cli/owner');
    expect(served('npm run dev', { session: 'other' })).toEqual(['.env']);
    expect(served('npm run dev', { background: true })).toEqual(['.env']);
    for (const command of ['npm run dev; cat .env', 'npm run dev2', 'cat .env', 'npm  run dev'])
      expect(served(command)).toEqual([]);
    expect(served('npm run dev', { origin: { ...OWNER, sender: { id: 'guest' } } })).toEqual([]);
    renameSync(folder, join(root, 'moved'));
    mkdirSync(folder);
    expect(served('npm run dev'), 'another folder at that path').toEqual([]);
  });
});
