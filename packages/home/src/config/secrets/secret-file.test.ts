import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homeLayout } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readPrivateFile } from '../file/read-private-file.ts';
import { createSecretFile, readSecretFile } from './secret-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-secrets-'));
  path = homeLayout(folder).secrets;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (text: string) => writeFileSync(path, text, { mode: 0o600 });

describe('secrets.json', () => {
  it('may be missing', () => {
    expect(readSecretFile(path)('ANTHROPIC_API_KEY')).toBeUndefined();
  });

  it('gives what is stored, by name', () => {
    write('{"ANTHROPIC_API_KEY":"k"}');
    const secret = readSecretFile(path);
    expect(secret('ANTHROPIC_API_KEY')).toBe('k');
    expect(secret('toString')).toBeUndefined();
  });

  it('is read again after a change, without a restart [D3]', () => {
    write('{"A":"1"}');
    utimesSync(path, 1_000, 1_000);
    const secret = readSecretFile(path);
    expect(secret('A')).toBe('1');
    // Same size, same time: another inode.
    writeFileSync(`${path}.2`, '{"A":"2"}', { mode: 0o600 });
    utimesSync(`${path}.2`, 1_000, 1_000);
    renameSync(`${path}.2`, path);
    expect(secret('A')).toBe('2');
    write('{"A":"three"}');
    expect(secret('A')).toBe('three');
    rmSync(path);
    expect(secret('A')).toBeUndefined();
    createSecretFile(homeLayout(folder)).set('A', 'four');
    expect(secret('A')).toBe('four');
  });

  it('is not read again without one', () => {
    write('{"A":"1"}');
    const first = readPrivateFile(path);
    expect(readPrivateFile(path, { knownStamp: first?.stamp })).toEqual({
      stamp: first?.stamp,
      text: undefined,
    });
  });

  it('is refused from the moment others can read it', () => {
    write('{"A":"CANARY"}');
    const secret = readSecretFile(path);
    expect(secret('A')).toBe('CANARY');
    chmodSync(path, 0o644);
    expect(() => secret('A')).toThrow(/^(?!.*CANARY).*can be read by others/);
  });

  it.each([0o644, 0o640, 0o604, 0o660, 0o602])('is refused with mode %o [D3]', (mode) => {
    write('{"ANTHROPIC_API_KEY":"k"}');
    chmodSync(path, mode);
    expect(() => readSecretFile(path)).toThrow(expect.objectContaining({ fix: `Run: chmod 600 ${path}` }));
  });

  it('is refused if it is a link, even to a private file [D3]', () => {
    writeFileSync(`${path}.real`, '{"A":"1"}', { mode: 0o600 });
    symlinkSync(`${path}.real`, path);
    expect(() => readSecretFile(path)).toThrow('is a symbolic link');
    expect(() => createSecretFile(homeLayout(folder)).set('A', '2')).toThrow('is a symbolic link');
    expect(readFileSync(`${path}.real`, 'utf8')).toBe('{"A":"1"}');
  });

  it('is refused if it belongs to somebody else [D3]', () => {
    write('{"A":"1"}');
    const userId = (process.getuid?.() ?? 0) + 1;
    expect(() => readPrivateFile(path, { userId })).toThrow('belongs to another user');
  });

  it('is refused, without waiting, if it is a pipe', () => {
    expect(spawnSync('mkfifo', ['-m', '600', path]).status).toBe(0);
    expect(() => readSecretFile(path)).toThrow('is no file');
  });

  it.each(['', '[]', '{"A":1}', 'CANARY', '{"A":"CANARY"', `"${'x'.repeat(1_000_001)}"`])(
    'is refused as %.20j without being repeated [D3]',
    (text) => {
      write(text);
      try {
        readSecretFile(path);
        expect.unreachable();
      } catch (error) {
        expect(error).toMatchObject({ code: 'config_invalid' });
        expect(error).not.toHaveProperty('cause');
        expect(JSON.stringify([String(error), error])).not.toContain('CANARY');
      }
    },
  );

  it('is written for its owner only, whatever the mask, and keeps what it held', () => {
    const before = process.umask(0);
    try {
      const store = createSecretFile(homeLayout(folder));
      store.set('B', '2');
      store.set('A', '1');
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ A: '1', B: '2' });
    } finally {
      process.umask(before);
    }
  });

  it('is not overwritten if it can not be understood', () => {
    write('{"A":');
    expect(() => createSecretFile(homeLayout(folder)).set('B', '2')).toThrow('not a JSON object');
    expect(readFileSync(path, 'utf8')).toBe('{"A":');
  });
});
