import { statSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ShellBox } from './box.ts';
import { type BoxFixture, boxFixture, finished } from './testing/box-fixture.ts';

let fixture: BoxFixture;
let root: string;
let scratch: string;
beforeAll(async () => {
  fixture = await boxFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(async () => {
  root = await mkdtemp(`${fixture.folder}/root-`);
  scratch = await mkdtemp(`${fixture.folder}/scratch-`);
  await mkdir(`${root}/app`);
  await mkdir(`${root}/shared/deep`, { recursive: true });
  await writeFile(`${root}/top.txt`, 'top');
  await writeFile(`${root}/app/own.txt`, 'own');
  await writeFile(`${root}/shared/s.txt`, 'shared');
  await writeFile(`${root}/shared/deep/.env`, 'canary');
});
afterEach(() => rm(root, { recursive: true, force: true }));

const neighbour = (path: string) => ({ path, inode: statSync(path, { bigint: true }).ino });
const shown = (changes: Partial<ShellBox> = {}): ShellBox =>
  fixture.shellBox({
    workingFolder: `${root}/app`,
    neighbours: [neighbour(root)],
    hide: [`${root}/shared/deep/.env`],
    ...changes,
  });

function launched(line: string, box: ShellBox, stdin: 'ignore' | 'pipe' = 'ignore') {
  return fixture.sandbox.launch(box, {
    file: '/bin/bash',
    args: ['-c', line],
    cwd: box.workingFolder,
    env: { PATH: '/usr/bin:/bin' },
    stdio: [stdin, 'pipe', 'pipe'],
  });
}

const run = (line: string, box: ShellBox = shown()) => finished(launched(line, box));

describe('the neighbours of a working folder', () => {
  it('can be read around it, by relative and absolute paths, and not without being named', async () => {
    const line = `cat ../top.txt ${root}/shared/s.txt own.txt; ls ..`;
    expect(await run(line)).toMatchObject({
      code: 0,
      stdout: 'topsharedownapp\nshared\ntop.txt\n',
      stderr: '',
    });
    const without = await run(line, shown({ neighbours: [], hide: [] }));
    expect(without.stdout, 'control: none').toBe('ownapp\n');
  });

  it('can be read beside it', async () => {
    const box = shown({ neighbours: [neighbour(`${root}/shared`)] });
    expect(await run('cat ../shared/s.txt; cat ../top.txt 2>&1', box)).toMatchObject({
      stdout: expect.stringMatching(/^sharedcat: .*No such file/),
    });
  });

  it('are read-only for every program, and their folders stay in place [A2]', async () => {
    const line = [
      'echo x > ../top.txt',
      'echo x > ../new.txt',
      'rm -f ../shared/s.txt',
      'mv ../shared ../moved',
      'mv ../app ../gone',
      'mount -o remount,rw ..',
      'umount ../shared/deep/.env',
    ];
    const { stdout } = await run(
      `(${line.join('; ')}) 2>/dev/null; echo done; echo x > own.txt; cat own.txt`,
    );
    expect(stdout).toBe('done\nx\n');
    expect((await run('cat ../top.txt ../shared/s.txt; ls ..')).stdout).toBe(
      'topsharedapp\nshared\ntop.txt\n',
    );
  });

  it('keep their hidden places hidden when a program outside replaces or moves them [A2]', async () => {
    const child = launched(
      'echo ready; read; cat ../shared/deep/.env; echo; cat ../*/*/.env',
      shown(),
      'pipe',
    );
    const end = finished(child);
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    await writeFile(`${root}/new`, 'canary');
    await rename(`${root}/new`, `${root}/shared/deep/.env`);
    child.stdin?.end('\n');
    const { stdout } = await end;
    expect(stdout).toContain('ready');
    expect(stdout).not.toContain('canary');
    const open = await run('cat ../shared/deep/.env', shown({ hide: [] }));
    expect(open.stdout, 'control: not hidden').toBe('canary');
  });

  it('refuse the box if a hidden place has moved since it was listed', async () => {
    const box = shown();
    await rename(`${root}/shared/deep`, `${root}/shared/moved`);
    const refused = await run('cat ../shared/moved/.env', box);
    expect(refused).toMatchObject({ code: 125, stdout: '' });
    expect(refused.stderr).toContain(`find what is hidden at ${root}/shared/deep/.env`);
    expect((await run('cat ../shared/moved/.env', { ...box, hide: [] })).stdout, 'control').toBe('canary');
  });

  it('refuse the box if they are other folders by then, or a link leads to them', async () => {
    const box = shown();
    await rename(root, `${root}-moved`);
    await mkdir(`${root}/app`, { recursive: true });
    await mkdir(`${root}/shared/deep`, { recursive: true });
    await writeFile(`${root}/shared/deep/.env`, '');
    const replaced = await run('ls ..', box);
    expect([replaced.code, replaced.stderr]).toEqual([125, expect.stringContaining('was replaced while')]);
    await rm(root, { recursive: true });
    await symlink(`${root}-moved`, root);
    const linked = await run('ls ..', { ...box, workingFolder: `${root}-moved/app` });
    expect([linked.code, linked.stderr]).toEqual([125, expect.stringContaining('open without links')]);
    await rm(root);
    await rename(`${root}-moved`, root);
    expect((await run('ls ..', box)).code, 'control').toBe(0);
  });

  it('let no link in them point outside the box', async () => {
    await symlink(fixture.secret, `${root}/shared/link`);
    await symlink('../../outside/secret', `${root}/shared/relative`);
    const { stdout } = await run('cat ../shared/link ../shared/relative 2>&1');
    expect(stdout).not.toContain('canary');
    expect(stdout.match(/No such file/g)).toHaveLength(2);
  });

  it('lead to no socket of a program outside', async () => {
    const reached: string[] = [];
    const server = createServer((socket) => {
      reached.push('connection');
      socket.end('canary');
    });
    await new Promise<void>((resolve) => server.listen(`${root}/shared/socket`, resolve));
    const line = (path: string) =>
      `python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.connect("${path}"); print(s.recv(9))' 2>&1`;
    expect((await run(line('../shared/socket'))).stdout).not.toContain('canary');
    expect(reached).toEqual([]);
    const control = connect(`${root}/shared/socket`);
    await new Promise((resolve) => control.once('data', resolve));
    control.destroy();
    expect(reached, 'control').toEqual(['connection']);
    await new Promise((resolve) => server.close(resolve));
  });

  it('hide a place of an overlay’s box as well, and show its own files', async () => {
    writeFileSync(`${root}/app/.env`, 'canary');
    const hide = [`${root}/shared/deep/.env`, `${root}/app/.env`];
    const child = fixture.sandbox.launch(shown({ hide, overlay: scratch }), {
      file: '/bin/bash',
      args: [
        '-c',
        'cat .env ../app/.env ../shared/deep/.env; echo new > own.txt; cat ../app/own.txt ../top.txt',
      ],
      cwd: `${root}/app`,
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    child.stdio[3]?.on('error', () => {});
    const said: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => said.push(chunk));
    await new Promise((resolve) => child.stdout?.once('end', resolve));
    child.stdio[3]?.destroy();
    await new Promise((resolve) => child.once('close', resolve));
    expect(Buffer.concat(said).toString()).toBe('new\ntop');
  });
});
