import { linkSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { homeLayout } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { protectedObjects } from './protected-objects.ts';

let user: string;

function put(path: string): string {
  const whole = join(user, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, 'x');
  return whole;
}

function idOf(path: string): string {
  const { dev, ino } = lstatSync(path, { bigint: true });
  return `${dev}:${ino}`;
}

beforeEach(() => {
  user = mkdtempSync(join(tmpdir(), 'bulkhead-objects-'));
});
afterEach(() => rmSync(user, { recursive: true, force: true }));

describe('protectedObjects', () => {
  it('tells what is ours and what may hold credentials, and nothing else [A2] [FT13]', () => {
    const closed = [
      '.bulkhead/config.yaml',
      '.bulkhead/state/bulkhead.db',
      '.ssh/id',
      '.aws/sub/credentials',
      '.netrc',
    ];
    const open = ['project/a.ts', '.bashrc', '.bulkhead/state/outputs/s1/a.txt'];
    for (const path of [...closed, ...open]) put(path);
    symlinkSync(join(user, 'project'), join(user, '.kube'));
    const layout = homeLayout(join(user, '.bulkhead'));
    const found = protectedObjects(layout, user);
    for (const path of closed) {
      expect(found, path).toContain(idOf(join(user, path)));
      expect(found, path).toContain(
        idOf(dirname(join(user, path))) === idOf(user)
          ? idOf(join(user, path))
          : idOf(dirname(join(user, path))),
      );
    }
    for (const path of [...open, 'project', '']) expect(found, path).not.toContain(idOf(join(user, path)));
    linkSync(join(user, '.netrc'), join(user, 'project/innocent'));
    expect(protectedObjects(layout, user)).toContain(idOf(join(user, 'project/innocent')));
  });

  it('works where there is no home yet', () => {
    expect(protectedObjects(homeLayout(join(user, 'none')), undefined)).toEqual([]);
    expect(protectedObjects(homeLayout(join(user, 'none')), join(user, 'nobody'))).toEqual([]);
  });
});
