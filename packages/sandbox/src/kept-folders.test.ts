import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { KeptFolders } from './box.ts';
import { type BoxFixture, boxFixture, inShell } from './testing/box-fixture.ts';

let fixture: BoxFixture;
let place: string;
beforeAll(async () => {
  fixture = await boxFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(async () => {
  place = await mkdtemp(`${fixture.folder}/kept-`);
  await mkdir(`${place}/home`);
  for (const name of ['tmp', 'var-tmp', 'shm']) {
    await mkdir(`${place}/temp/${name}`, { recursive: true });
    await chmod(`${place}/temp/${name}`, 0o1777);
  }
});
afterEach(() => rm(place, { recursive: true, force: true }));

const kept = (readOnly = false): KeptFolders => ({
  home: { from: `${place}/home`, readOnly },
  temp: `${place}/temp`,
});
const run = (line: string, folders: KeptFolders = kept()) => inShell(fixture, line, { kept: folders });

describe('kept folders of a shell box', () => {
  it('show one command what an earlier one left in its home and its temporary folders', async () => {
    const write = 'echo h > ~/h; echo t > /tmp/t; echo v > /var/tmp/v; echo s > /dev/shm/s';
    expect(await run(write)).toMatchObject({ code: 0, stderr: '' });
    const read = 'cat ~/h /tmp/t /var/tmp/v /dev/shm/s';
    expect((await run(read)).stdout).toBe('h\nt\nv\ns\n');
    expect((await inShell(fixture, `${read}; ls -A ~ /var/tmp`)).stdout, 'control: no folders').not.toMatch(
      /^[htvs]$/m,
    );
  });

  it('are read-only where that is asked for', async () => {
    await writeFile(`${place}/home/f`, 'old');
    const { stdout } = await run(
      'cat ~/f; echo new > ~/f || echo closed; mkdir ~/x || echo closed',
      kept(true),
    );
    expect(stdout).toBe('oldclosed\nclosed\n');
    expect(readFileSync(`${place}/home/f`, 'utf8')).toBe('old');
  });

  it('give no rights by a set-user program or a device that lies there [FR3]', async () => {
    const options = (await run('grep -E " (/tmp|/var/tmp|/dev/shm|.*/home) " /proc/self/mounts')).stdout;
    const lines = options.trimEnd().split('\n');
    expect(lines).toHaveLength(4);
    for (const line of lines) expect(line).toMatch(/\bnosuid\b.*\bnodev\b/);
  });

  it('refuse a place that a link leads to', async () => {
    await symlink(fixture.outside, `${place}/link`);
    const result = await run('cat ~/secret', { home: { from: `${place}/link`, readOnly: false } });
    expect(result).toMatchObject({ code: 125, stdout: '' });
    expect(result.stderr).toContain('open without links');
  });

  it('show nothing of the folder around them, also through `..` and links', async () => {
    await writeFile(`${place}/beside`, 'canary');
    const { stdout } = await run(
      `ln -s ../beside ~/l; cat ~/../beside ~/l /tmp/../beside ${place}/beside; echo end`,
    );
    expect(stdout).toBe('end\n');
  });

  it('hide credentials in a working folder below /tmp while the folders above it move [FR3]', async () => {
    const folder = await mkdtemp('/tmp/bulkhead-kept-');
    const [work, name] = [`${folder}/work`, folder.slice('/tmp/'.length)];
    await mkdir(work);
    await writeFile(`${work}/.env`, 'canary');
    const box = { workingFolder: work, kept: kept(), hide: [`${work}/.env`] };
    const look = async () => {
      const line = `cat ${work}/.env /tmp/*/work/.env; echo ran`;
      return (await inShell(fixture, line, box, '/')).stdout;
    };
    expect(await look()).toBe('ran\n');
    const move = `cd ${place}/temp/tmp; while :; do mv -T ${name} moved; mkdir -p ${name}/work; touch ${name}/work/.env; rm -rf ${name}; mv -T moved ${name}; done`;
    const mover = spawn('/bin/bash', ['-c', move], { stdio: 'ignore' });
    try {
      // A box that can't be made shows nothing either.
      for (let round = 0; round < 25; round += 1) expect(await look()).not.toContain('canary');
    } finally {
      mover.kill('SIGKILL');
      await once(mover, 'exit');
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('tending folders that commands wrote', () => {
  it('measures what they take, and when they were changed', async () => {
    const before = Date.now() - 1_000;
    await mkdir(`${place}/home/a/b`, { recursive: true });
    await writeFile(`${place}/home/a/b/f`, Buffer.alloc(100_000, 1));
    await symlink('/usr', `${place}/home/link`);
    const size = await fixture.sandbox.measure([`${place}/home`, `${place}/temp`]);
    expect(size).toMatchObject({ names: 9, isWhole: true });
    expect(size.bytes).toBeGreaterThanOrEqual(100_000);
    expect(size.bytes, 'of what the link leads to').toBeLessThan(1_000_000);
    expect(size.latest).toBeGreaterThan(before);
    expect(size.latest).toBeLessThan(Date.now() + 60_000);
  });

  it('removes them without following a link, and what a command has closed', async () => {
    await mkdir(`${place}/home/closed/deep`, { recursive: true });
    await symlink(fixture.outside, `${place}/home/link`);
    await symlink(fixture.secret, `${place}/home/closed/deep/file`);
    await chmod(`${place}/home/closed`, 0o000);
    await fixture.sandbox.remove([`${place}/home`, `${place}/missing`]);
    expect(lstatSync(`${place}/home`, { throwIfNoEntry: false })).toBeUndefined();
    expect(readFileSync(fixture.secret, 'utf8')).toBe('canary');
  });

  it('removes nothing through a link on the way there', async () => {
    await symlink(fixture.folder, `${place}/link`);
    await expect(fixture.sandbox.remove([`${place}/link/outside`])).rejects.toThrow('could not be removed');
    expect(readFileSync(fixture.secret, 'utf8')).toBe('canary');
  });
});
