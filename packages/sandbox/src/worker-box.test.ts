import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { elfInterpreterOf } from './elf-interpreter.ts';
import {
  attempt,
  attempts,
  type BoxFixture,
  boxFixture,
  type Finished,
  finished,
  nodeProgram,
} from './testing/box-fixture.ts';

/** Both ways to make the box: with name spaces where the kernel allows them, and without. */
describe.each([
  ['by Landlock and system call filter alone', false],
  ['with name spaces as well', true],
])('%s', (_, nameSpaces) => {
  let fixture: BoxFixture;
  beforeAll(async () => {
    fixture = await boxFixture(nameSpaces);
    copyFileSync(fixture.launcherPath, `${fixture.outside}/other-program`);
    copyFileSync(fixture.launcherPath, `${fixture.work}/brought-program`);
  });
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]();
  });

  async function runBoxed(module: string): Promise<Finished> {
    const script = await fixture.script(module);
    return finished(
      fixture.sandbox.launch(
        { kind: 'worker', read: [], write: [fixture.work], execute: [fixture.launcherPath] },
        { ...nodeProgram(script), cwd: fixture.work, env: {}, stdio: ['ignore', 'pipe', 'pipe'] },
      ),
    );
  }

  const boxed = (body: string) => runBoxed(attempt(body));
  const unboxed = (body: string) => runUnboxed(attempt(body));

  async function runUnboxed(module: string): Promise<Finished> {
    const script = await fixture.script(module);
    return finished(
      spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'pipe'], cwd: fixture.work }),
    );
  }

  /** If only granted files exist, others are missing instead of refused. */
  const REFUSED = nameSpaces ? /^refused (EPERM|EACCES|ENOENT|EROFS|ESRCH)\n$/ : /^refused (EPERM|EACCES)\n$/;
  async function expectRefused(bodies: string | readonly string[], code: RegExp = REFUSED): Promise<void> {
    const all = [bodies].flat();
    const control = await runUnboxed(attempts(all));
    expect(control.stdout, `control: ${control.stderr}`).toMatch(new RegExp(`^(did .*\\n){${all.length}}$`));
    const attack = await runBoxed(attempts(all));
    const lines = attack.stdout.split(/(?<=\n)/);
    expect(lines, attack.stderr).toHaveLength(all.length);
    for (const [index, line] of lines.entries()) expect(line, all[index]).toMatch(code);
  }

  const run = (file: string, args = '[]') =>
    `const r = child_process.spawnSync(${JSON.stringify(file)}, ${args}); if (r.error) throw r.error; return r.status + ' ' + r.stdout`;

  describe('worker box', () => {
    it('reads, writes, renames, links, removes, keeps modes and times in its folder', async () => {
      const done = await boxed(`
      fs.mkdirSync('a/b', { recursive: true });
      fs.writeFileSync('a/one', 'text');
      fs.renameSync('a/one', 'a/b/two');
      fs.copyFileSync('a/b/two', 'a/three');
      fs.symlinkSync('three', 'a/link');
      fs.linkSync('a/three', 'a/b/four');
      const file = fs.openSync('a/three', 'r+');
      fs.fchmodSync(file, 0o750); fs.ftruncateSync(file, 2); fs.futimesSync(file, 5, 5); fs.fsyncSync(file);
      const facts = fs.statSync('a/three');
      const text = fs.readFileSync('a/link', 'utf8');
      const folder = fs.openSync('a', fs.constants.O_RDONLY | fs.constants.O_DIRECTORY | fs.constants.O_NOFOLLOW);
      const byDescriptor = fs.readFileSync('/proc/self/fd/' + folder + '/b/two', 'utf8');
      fs.rmSync('a', { recursive: true });
      return [(facts.mode & 0o777).toString(8), facts.mtimeMs, text, byDescriptor, fs.existsSync('a')].join(' ')`);
      expect(done.stdout, done.stderr).toBe('did 750 5000 te text false\n');
    });

    it('starts the named program, reads its output and can stop it', async (context) => {
      const started = await boxed(run(fixture.launcherPath, "['version']"));
      expect(started.stdout, started.stderr).toBe('did 0 bulkhead-launcher 1\n\n');
      const stopped = await boxed(`
      const child = child_process.spawn(process.execPath, [...process.execArgv, '-e', 'setInterval(() => {}, 1000)']);
      child.kill('SIGKILL');
      return (await once(child, 'exit'))[1]`);
      if (/^refused EPERM/.test(stopped.stdout))
        return context.skip('this kernel does not keep signals inside a box');
      expect(stopped.stdout, stopped.stderr).toBe('did SIGKILL\n');
    });

    it('starts no other program, neither the system’s nor one it made or may read [FR2]', async () => {
      await expectRefused([
        run('/bin/true'),
        run(`${fixture.outside}/other-program`, "['version']"),
        run(`${fixture.work}/brought-program`, "['version']"),
        `fs.copyFileSync(${JSON.stringify(fixture.launcherPath)}, 'copied'); fs.closeSync(fs.openSync('copied'));
       ${run(`${fixture.work}/copied`, "['version']")}`,
      ]);
    });

    it('gets nothing started through the dynamic loader [FR2]', async (context) => {
      const loader = await elfInterpreterOf('/bin/true');
      if (loader === undefined) return context.skip('/bin/true is static here');
      const body = `const r = child_process.spawnSync(${JSON.stringify(loader)}, ['/bin/true']); if (r.error) throw r.error;
      if (r.status !== 0) throw Object.assign(new Error(), { code: 'loader said ' + r.stderr }); return r.status`;
      await expectRefused(
        body,
        /^refused (EACCES|loader said .*(cannot open shared object|Permission denied))/,
      );
    });

    it('writes, cuts, links, renames and removes nothing outside [FR2]', async () => {
      const [made, secret] = [JSON.stringify(`${fixture.outside}/made`), JSON.stringify(fixture.secret)];
      await expectRefused([
        `fs.writeFileSync(${made}, 'x'); fs.rmSync(${made})`,
        `fs.appendFileSync(${secret}, '')`,
        `fs.truncateSync(${secret}, 6)`,
        `fs.renameSync(${secret}, ${made}); fs.renameSync(${made}, ${secret})`,
      ]);
      await expectRefused(
        [
          `fs.writeFileSync('x', ''); fs.renameSync('x', ${made}); fs.rmSync(${made})`,
          `fs.linkSync(${secret}, 'stolen'); fs.rmSync('stolen')`,
          `fs.renameSync(${secret}, 'stolen'); fs.renameSync('stolen', ${secret})`,
        ],
        /^refused (EXDEV|EPERM|EACCES|ENOENT)\n$/,
      );
    });

    it('reads nothing outside, also not through a link in the folder [FR2]', async () => {
      const secret = JSON.stringify(fixture.secret);
      await expectRefused([
        `return fs.readFileSync(${secret}, 'utf8')`,
        `fs.rmSync('link', { force: true }); fs.symlinkSync(${secret}, 'link'); return fs.readFileSync('link', 'utf8')`,
        "return fs.readFileSync('/etc/hostname', 'utf8')",
        `return fs.readFileSync('/proc/${process.pid}/environ').length`,
      ]);
    });

    it('changes no mode and no time outside, though Landlock would let it [FR2]', async () => {
      const secret = JSON.stringify(fixture.secret);
      await expectRefused([
        `fs.chmodSync(${secret}, 0o666)`,
        `fs.utimesSync(${secret}, 1, 1)`,
        `fs.lutimesSync(${secret}, 1, 1)`,
      ]);
    });

    it('makes no set-user files and no pipes [FT08]', async () => {
      await expectRefused([
        `fs.closeSync(fs.openSync('set-user', 'w', 0o4755)); fs.rmSync('set-user')`,
        `fs.writeFileSync('x', ''); fs.fchmodSync(fs.openSync('x', 'r+'), 0o4755)`,
        run('/usr/bin/mkfifo', `['pipe' + process.pid]`),
      ]);
    });

    it('opens no channel and signals no process outside [FR2]', async () => {
      const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : 0;
      await expectRefused(`await once(net.connect(${port}, '127.0.0.1'), 'connect')`);
      server.close();
      await expectRefused(`return process.kill(${process.pid}, 0)`);
    });

    it('keeps its children in its process group, so that one signal ends them all', async () => {
      const body = `
      const child = child_process.spawn(${JSON.stringify(fixture.launcherPath)}, ['version'], { detached: true });
      const group = fs.readFileSync('/proc/' + child.pid + '/stat', 'utf8');
      return group.split(' ')[4] === String(child.pid)`;
      expect((await unboxed(body)).stdout).toBe('did true\n');
      const script = await fixture.script(attempt(body));
      const child = fixture.sandbox.launch(
        { kind: 'worker', read: ['/proc'], write: [fixture.work], execute: [fixture.launcherPath] },
        { ...nodeProgram(script), cwd: fixture.work, env: {}, stdio: ['ignore', 'pipe', 'pipe'] },
      );
      expect((await finished(child)).stdout).toBe('did false\n');
    });
  });
});
