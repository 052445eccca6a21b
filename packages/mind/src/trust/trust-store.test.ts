import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AuditInput } from '@bulkhead/audit';
import { homeLayout, systemClock } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TrustStore } from './trust-store.ts';

let root: string;
let folder: string;
let audited: AuditInput[];
let store: TrustStore;

const layout = () => homeLayout(join(root, 'home'));
const write = (path: string, text: string | Buffer) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const trustAll = async () => store.grant(folder, (await store.inspect(folder)).digest);
const anew = () =>
  new TrustStore({
    layout: layout(),
    clock: systemClock,
    audit: {
      append: async (entries) => {
        audited.push(...entries);
        return [];
      },
    },
  });

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-trust-')));
  folder = join(root, 'project');
  mkdirSync(folder);
  mkdirSync(layout().state, { recursive: true, mode: 0o700 });
  audited = [];
  store = anew();
  write('AGENTS.md', 'be kind');
  write('.bulkhead/skills/one/SKILL.md', 'a skill');
  write('unrelated.txt', 'not interpreted');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('trust', () => {
  it('is given only by the person who is asked for it, and lasts [FT97]', async () => {
    expect(await store.trustOf(folder)).toEqual({ state: 'untrusted' });
    await expect(store.readTrusted(folder, 'AGENTS.md')).rejects.toMatchObject({ code: 'blocked' });
    await trustAll();
    expect(await anew().trustOf(folder)).toMatchObject({
      state: 'trusted',
      files: [{ path: '.bulkhead/skills/one/SKILL.md', size: 7 }, { path: 'AGENTS.md' }],
    });
    expect(String(await anew().readTrusted(folder, 'AGENTS.md'))).toBe('be kind');
    expect(String(await store.readTrusted(folder, '.bulkhead/skills/one/SKILL.md'))).toBe('a skill');
  });

  it.each<[string, () => void, object]>([
    ['a changed file', () => write('AGENTS.md', 'be evil'), { path: 'AGENTS.md', what: 'changed' }],
    [
      'a new file',
      () => write('.bulkhead/extensions/x.ts', 'x'),
      { path: '.bulkhead/extensions/x.ts', what: 'added' },
    ],
    [
      'a removed file',
      () => rmSync(join(folder, '.bulkhead'), { recursive: true }),
      { path: '.bulkhead/skills/one/SKILL.md', what: 'removed' },
    ],
  ])('ends with %s, and says which', async (_name, change, expected) => {
    await trustAll();
    change();
    expect(await store.trustOf(folder)).toEqual({ state: 'changed', changes: [expected] });
    await trustAll();
    expect(await store.trustOf(folder)).toMatchObject({ state: 'trusted' });
  });

  it('does not end with what is not interpreted', async () => {
    await trustAll();
    write('unrelated.txt', 'other');
    write('src/AGENTS.md', 'not that of the folder');
    expect(await store.trustOf(folder)).toMatchObject({ state: 'trusted' });
  });

  it('is bound to the folder, not to its name: another one put there has none', async () => {
    await trustAll();
    renameSync(folder, `${folder}-before`);
    write('AGENTS.md', 'be kind');
    write('.bulkhead/skills/one/SKILL.md', 'a skill');
    expect(await store.trustOf(folder)).toEqual({
      state: 'changed',
      changes: [{ path: '.', what: 'replaced' }],
    });
    await expect(store.readTrusted(folder, 'AGENTS.md')).rejects.toThrow('is not the one that was trusted');
    rmSync(folder, { recursive: true });
    symlinkSync(`${folder}-before`, folder);
    expect(await store.trustOf(folder)).toMatchObject({ state: 'changed' });
    await expect(store.readTrusted(folder, 'AGENTS.md')).rejects.toMatchObject({ code: 'blocked' });
    expect(await store.trustOf(`${folder}-before`)).toEqual({ state: 'untrusted' });
  });

  it('is bound to what was shown: a change before the approval is not trusted', async () => {
    const { digest } = await store.inspect(folder);
    write('AGENTS.md', 'be evil');
    await expect(store.grant(folder, digest)).rejects.toMatchObject({ code: 'blocked' });
    expect(await store.trustOf(folder)).toEqual({ state: 'untrusted' });
    expect(audited).toEqual([]);
  });

  it('does not reach folders below or above', async () => {
    write('sub/AGENTS.md', 'x');
    await trustAll();
    expect(await store.trustOf(join(folder, 'sub'))).toEqual({ state: 'untrusted' });
    expect(await store.trustOf(root)).toEqual({ state: 'untrusted' });
  });

  it('is on the audit log, and so is its end', async () => {
    const { digest } = await store.inspect(folder);
    await store.grant(folder, digest);
    expect(await store.revoke(folder)).toBe(true);
    expect(await store.revoke(folder)).toBe(false);
    expect(await store.trustOf(folder)).toEqual({ state: 'untrusted' });
    expect(audited).toMatchObject([
      {
        step: 'TRUSTED',
        details: { folder, digest, files: ['.bulkhead/skills/one/SKILL.md', 'AGENTS.md'] },
      },
      { step: 'TRUST_REVOKED', details: { folder } },
    ]);
  });

  it('can be taken from a folder that is gone', async () => {
    await trustAll();
    rmSync(folder, { recursive: true });
    expect(await store.trustOf(folder)).toMatchObject({ state: 'changed' });
    expect(await store.revoke(`${folder}/`)).toBe(true);
    expect(store.list()).toEqual([]);
  });
});

describe('reading trusted files', () => {
  it.each<[string, () => void]>([
    ['other bytes', () => write('AGENTS.md', 'be evil')],
    ['more bytes', () => write('AGENTS.md', 'be kind, or not')],
    ['nothing', () => rmSync(join(folder, 'AGENTS.md'))],
    ['a folder', () => rmSync(join(folder, 'AGENTS.md')) ?? mkdirSync(join(folder, 'AGENTS.md'))],
    ['a link to the very same bytes', () => swapForLink('AGENTS.md')],
  ])('is never %s in its place', async (_name, change) => {
    await trustAll();
    change();
    await expect(store.readTrusted(folder, 'AGENTS.md')).rejects.toMatchObject({ code: 'blocked' });
  });

  it('is never reached through a folder that became a link', async () => {
    await trustAll();
    swapForLink('.bulkhead/skills');
    await expect(store.readTrusted(folder, '.bulkhead/skills/one/SKILL.md')).rejects.toMatchObject({
      code: 'blocked',
    });
  });

  it('is only what was listed, whatever the path says', async () => {
    await trustAll();
    write('.bulkhead/late.md', 'late');
    for (const path of ['.bulkhead/late.md', 'unrelated.txt', './AGENTS.md', '../project/AGENTS.md', '']) {
      await expect(store.readTrusted(folder, path), path).rejects.toMatchObject({ code: 'blocked' });
    }
  });
});

describe('folders that can not be trusted', () => {
  it.each<[string, () => void, string]>([
    ['a link', () => swapForLink('AGENTS.md'), 'AGENTS.md is a symbolic link'],
    ['a folder that is a link', () => swapForLink('.bulkhead'), '.bulkhead is a symbolic link'],
    [
      'a pipe, without waiting for it',
      () => execFileSync('mkfifo', [join(folder, '.bulkhead/p')]),
      '.bulkhead/p is a pipe',
    ],
    [
      'a name that is no text',
      () => writeFileSync(Buffer.concat([Buffer.from(`${folder}/.bulkhead/`), Buffer.of(0xff)]), ''),
      'not UTF-8',
    ],
    ['too much', () => truncateSync(bigFile(), 33 * 1024 * 1024), 'more than 32 MiB'],
    ['too many', () => manyFiles(2_001), 'more than 2000 entries'],
    ['too deep', () => write(`.bulkhead/${'d/'.repeat(17)}x`, ''), 'deeper than'],
  ])('is %s', async (_name, make, message) => {
    make();
    await expect(store.inspect(folder)).rejects.toMatchObject({
      code: 'blocked',
      message: expect.stringContaining(message),
    });
  });

  it('is the machine, our own home, or anything in it', async () => {
    for (const path of ['/', layout().root, layout().state]) {
      await expect(store.inspect(path)).rejects.toMatchObject({ code: 'usage' });
      await expect(store.grant(path, '')).rejects.toMatchObject({ code: 'usage' });
    }
  });

  it('is our own home where it is the `.bulkhead` of the folder', async () => {
    rmSync(join(folder, '.bulkhead'), { recursive: true });
    renameSync(layout().root, join(folder, '.bulkhead'));
    store = new TrustStore({
      layout: homeLayout(join(folder, '.bulkhead')),
      clock: systemClock,
      audit: { append: async () => [] },
    });
    expect((await store.inspect(folder)).files.map(({ path }) => path)).toEqual(['AGENTS.md']);
  });

  it('is a folder with nothing to interpret', async () => {
    for (const name of ['AGENTS.md', '.bulkhead']) rmSync(join(folder, name), { recursive: true });
    await expect(trustAll()).rejects.toMatchObject({ code: 'usage' });
    expect(store.list()).toEqual([]);
  });
});

describe('the record', () => {
  const place = () => join(layout().trust, readdirSync(layout().trust)[0] ?? '');

  it('lies in our home, for its owner only', async () => {
    await trustAll();
    expect(statSync(place()).mode & 0o777).toBe(0o600);
    expect(statSync(layout().trust).mode & 0o777).toBe(0o700);
  });

  it.each<[string, () => void, string]>([
    ['damaged', () => writeFileSync(place(), '{"version":1'), 'store_corrupt'],
    ['of another version', () => writeFileSync(place(), '{"version":2}'), 'store_corrupt'],
    ['open to others', () => chmodSync(place(), 0o644), 'config_invalid'],
    ['of another folder', () => renameSync(place(), join(layout().trust, `${'0'.repeat(64)}.json`)), 'none'],
  ])('gives no trust when it is %s', async (_name, spoil, code) => {
    await trustAll();
    spoil();
    if (code === 'none') expect(await store.trustOf(folder)).toEqual({ state: 'untrusted' });
    else await expect(store.trustOf(folder)).rejects.toMatchObject({ code });
  });

  it('of one folder does not pass for that of another', async () => {
    await trustAll();
    const other = join(root, 'other');
    mkdirSync(other);
    linkSync(join(folder, 'AGENTS.md'), join(other, 'AGENTS.md'));
    const mine = place();
    await store.grant(other, (await store.inspect(other)).digest);
    const [theirs = ''] = readdirSync(layout().trust).filter((name) => !mine.endsWith(name));
    renameSync(mine, join(layout().trust, theirs));
    await expect(store.trustOf(other)).rejects.toMatchObject({ code: 'store_corrupt' });
  });
});

/** Moves the object beside the folder and puts a link to it in its place. */
function swapForLink(path: string): void {
  const aside = join(root, 'aside');
  renameSync(join(folder, path), aside);
  symlinkSync(aside, join(folder, path));
}

function bigFile(): string {
  write('.bulkhead/big', '');
  return join(folder, '.bulkhead/big');
}

function manyFiles(count: number): void {
  for (let at = 0; at < count; at += 1) write(`.bulkhead/f${at}`, '');
}
