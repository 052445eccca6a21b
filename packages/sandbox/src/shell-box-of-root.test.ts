import { chownSync, statSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BoxFixture, boxFixture, inShell, unboxedShell } from './testing/box-fixture.ts';

const isRoot = process.getuid?.() === 0;
const NONE = '0'.repeat(16);

let fixture: BoxFixture;
beforeAll(async () => {
  fixture = await boxFixture();
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});

describe('shell box', () => {
  it.runIf(isRoot)('is root over files as outside, and whoever it becomes has nothing left', async () => {
    const line = `id -un; umask 022; echo x > ro; chmod 0 ro; echo y >> ro; cat ro; chown 12:34 ro; stat -c %u:%g ro
      tar cf t.tar ro; rm ro; tar xf t.tar; stat -c %u:%g ro; cp -a ro copy; stat -c %u:%g copy; rm -f ro copy t.tar
      setpriv --reuid=12 --regid=34 --clear-groups bash -c 'id -u; id -g; cat /proc/self/status' | grep -E "^[0-9]|CapEff|CapPrm" | tr -d "\\t"`;
    const outside = await unboxedShell(fixture, line);
    const inside = await inShell(fixture, line);
    expect(inside.stdout, inside.stderr).toBe(outside.stdout);
    expect(inside.stdout).toBe(`root\nx\ny\n${'12:34\n'.repeat(3)}12\n34\nCapPrm:${NONE}\nCapEff:${NONE}\n`);
  });

  it.runIf(isRoot)(
    'gives root inside no way to the mounts, devices and processes of the box [FT01] [FT04]',
    async () => {
      const denied = `${fixture.work}/denied`;
      await writeFile(denied, 'canary');
      await writeFile(`${fixture.outside}/shown`, 'canary');
      const tries = [
        ['cat denied', 'cat denied'],
        ['chmod 644 denied', 'chmod 644 denied'],
        ['chown 0 denied', 'chown 0 denied'],
        [`chown 12 ${fixture.outside}/shown`, `chown 0 ${fixture.outside}/shown`],
        [`echo x > ${fixture.outside}/shown`, `echo x > ${fixture.outside}/shown`],
        ['mknod device c 1 3', 'mknod device c 1 3; rm device'],
        ['mount -t tmpfs none /mnt', 'unshare -m mount -t tmpfs none /mnt'],
        // Never of a file system that others use: without `bind` the option would be theirs as well.
        [
          'mount -o remount,bind,rw /usr',
          "unshare -m sh -c 'mount -t tmpfs none /mnt && mount -o remount,bind,ro /mnt'",
        ],
        ['mount --bind /tmp /usr', 'unshare -m mount --bind /tmp /usr'],
        ['umount denied', 'unshare -m umount -l /proc'],
        ['/usr/sbin/chroot / true', '/usr/sbin/chroot / true'],
        ['cat /proc/1/environ', 'cat /proc/self/environ'],
        ['cat /proc/1/root/etc/hostname', 'ls /proc/self/root/'],
        ['echo 1 > /proc/sys/vm/drop_caches', 'test -w /proc/sys/vm/drop_caches'],
        ['touch /usr/x', 'test -w /usr'],
        ['unshare -U true', 'unshare -U true'],
      ] as const;
      for (const [inside, control] of tries) {
        expect((await unboxedShell(fixture, control)).code, `control: ${control}`).toBe(0);
        const run = await inShell(fixture, inside, {
          deny: [denied],
          readOnly: [`${fixture.outside}/shown`],
        });
        expect(run.code, inside).not.toBe(0);
        expect(run.stdout, inside).toBe('');
      }
      expect(statSync(denied).uid).toBe(0);
      await rm(denied);
    },
  );

  it('opens a folder of another user to root, as outside, and to no one else', async (context) => {
    if (!isRoot) return context.skip('only root can make one');
    await mkdir(`${fixture.work}/foreign`, { mode: 0o700 });
    chownSync(`${fixture.work}/foreign`, 12345, 12345);
    const line = 'ls foreign 2>/dev/null && echo open || echo closed';
    expect((await inShell(fixture, line)).stdout).toBe('open\n');
    const other = `setpriv --reuid=12 --regid=34 --clear-groups bash -c '${line}'`;
    expect((await inShell(fixture, other)).stdout).toBe('closed\n');
  });
});
