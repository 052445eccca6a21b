import { spawnSync } from 'node:child_process';
import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DiskModel } from './disk-model.ts';
import type { Ext4Disk } from './ext4-disk.ts';
import { readRecord } from './read-record.ts';
import { recordProblems } from './record-problems.ts';
import { Recording } from './recorder.ts';

/** Every kind of change, by ordinary programs, some at once; an inode's number is used again. */
const SCRIPT = `set -e
echo one > a; echo two >> a; mkdir d; mkdir d/e; mv a d/b; ln -s b d/l; ln d/b d/e/h
head -c 20000 /dev/zero > big; truncate -s 5000 big; dd if=/dev/urandom of=big bs=700 seek=3 count=4 conv=notrunc 2>/dev/null
rm d/b; echo new > again; cp big copy; chmod 640 copy; touch -d 2020-02-03T04:05:06 copy; mkdir gone; rmdir gone
for name in 1 2 3 4; do (for line in 1 2 3 4 5; do echo $line >> w$name; done; mv w$name d/w$name) & done; wait
mkdir lower upper work merged; echo below > lower/f; echo stays > lower/s
unshare -m sh -c 'mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=work none merged && cd merged && echo more >> f && echo made > n && rm s'
mv upper/f taken; mv upper/n placed; rm -r upper work lower merged; sync`;

/**
 * Records what is known and looks whether the record says what the disk holds; makes that disk anew, and looks again.
 *
 * @returns what differs
 */
export async function selfCheckProblems(
  disk: Ext4Disk,
  recorder: string,
  top: string,
): Promise<readonly string[]> {
  disk.mountEmpty();
  const log = join(top, 'record');
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C' };
  const command = ['/bin/sh', '-c', `cd '${disk.folder}' && ${SCRIPT}`];
  await new Recording(recorder, disk.folder, log, command, { env, cwd: top }).done();
  const model = DiskModel.after(readRecord(log));
  const recorded = recordProblems(model, disk.folder);
  if (lstatSync(join(disk.folder, 'placed'), { throwIfNoEntry: false }) === undefined)
    recorded.push('the script did not come to its end');
  await disk.unmount();
  disk.mountModel(model);
  const made = recordProblems(model, disk.folder);
  const born = [...model.placed()].filter(({ path, object }) => {
    const { seconds, nanoseconds } = object.birth.born;
    const found = statSync(join(disk.folder, path), { bigint: true, throwIfNoEntry: false })?.birthtimeNs;
    return object.birth.type === 'file' && found !== BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds);
  });
  await disk.unmount();
  const checked = spawnSync('e2fsck', ['-f', '-n', disk.image], { encoding: 'utf8', env });
  return [
    ...recorded.map((problem) => `recorded: ${problem}`),
    ...made.map((problem) => `made: ${problem}`),
    ...born.map(({ path }) => `made: ${path} was born at another time`),
    ...(checked.status === 0 ? [] : [`e2fsck: ${checked.stdout}`]),
  ];
}
