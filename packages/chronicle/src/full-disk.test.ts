import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const CHILD = join(import.meta.dirname, 'testing/full-disk.child.ts');
const MOUNT = 'mount -t tmpfs -o size=1m,mode=700 none "$1" && exec "$2" "$3" "$4" "$1" "$5"';
const canMount = spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

it.skipIf(!canMount)(
  'a snapshot that the disk has no room for is none, says so, and leaves nothing [U2]',
  () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-full-')));
    const [store, work] = [join(root, 'store'), join(root, 'work')];
    mkdirSync(store);
    mkdirSync(work);
    try {
      const node = [process.execPath, '--experimental-transform-types', CHILD];
      const args = ['-Urm', 'sh', '-c', MOUNT, 'sh', store, ...node, work];
      const { stdout, stderr } = spawnSync('unshare', args, { encoding: 'utf8', timeout: 60_000 });
      expect(stdout, stderr).not.toBe('');
      expect(JSON.parse(stdout)).toEqual({
        first: 'taken',
        full: { code: 'store_failed', message: expect.stringMatching(/^the disk that keeps .* is full/) },
        listed: ['A1'],
        left: [],
        afterwards: 'taken',
      });
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
);
