import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createServer } from 'node:net';
import { Duplex } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launcherArguments } from './launcher-arguments.ts';
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
  });
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]();
  });

  async function runBoxed(module: string): Promise<Finished> {
    const script = await fixture.script(module);
    const program = { ...nodeProgram(script), cwd: '/', env: {}, stdio: ['ignore', 'pipe', 'pipe'] as const };
    return finished(
      fixture.sandbox.launch({ kind: 'agent', read: [script] }, { ...program, stdio: [...program.stdio] }),
    );
  }

  const boxed = (body: string) => runBoxed(attempt(body));
  const unboxed = (body: string) => runUnboxed(attempt(body));

  async function runUnboxed(module: string): Promise<Finished> {
    const script = await fixture.script(module);
    return finished(spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'pipe'], cwd: '/' }));
  }

  /** The attack must work outside and be refused inside, with the expected errno. */
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

  describe('agent box', () => {
    it('runs Node with timers, threads, crypto and compression', async () => {
      const run = await boxed(`
      const { Worker } = await import('node:worker_threads');
      const crypto = await import('node:crypto');
      const zlib = await import('node:zlib');
      const [answer] = await once(new Worker('require("worker_threads").parentPort.postMessage(41)', { eval: true }), 'message');
      await new Promise((resolve) => crypto.pbkdf2('a', 'b', 10, 8, 'sha256', resolve));
      const deep = (n) => n === 0 ? 0 : deep(n - 1);
      let overflow = ''; try { deep(1e7); } catch (error) { overflow = error.name; }
      return [answer, zlib.gunzipSync(zlib.gzipSync('same')), overflow].join(' ');`);
      expect(run).toEqual({ code: 0, signal: null, stdout: 'did 41 same RangeError\n', stderr: '' });
    });

    it('cannot read a canary outside, a process environment or a device [FR2]', async () => {
      await expectRefused([
        `return fs.readFileSync(${JSON.stringify(fixture.secret)}, 'utf8')`,
        `return fs.readdirSync(${JSON.stringify(fixture.outside)}).length`,
        "return fs.readFileSync('/proc/self/environ').length",
        "return fs.readFileSync('/proc/self/maps').length",
        "return fs.openSync('/dev/zero', 'r')",
      ]);
    });

    it('cannot write, make, rename, remove, cut or touch anything [FR2]', async () => {
      const [inside, secret] = [JSON.stringify(`${fixture.outside}/made`), JSON.stringify(fixture.secret)];
      await expectRefused([
        `fs.writeFileSync(${inside}, 'x'); fs.rmSync(${inside})`,
        `fs.mkdirSync(${inside}); fs.rmdirSync(${inside})`,
        `fs.appendFileSync(${secret}, '')`,
        `fs.chmodSync(${secret}, 0o666)`,
        `fs.utimesSync(${secret}, 1, 1)`,
        `fs.truncateSync(${secret}, 6)`,
        `fs.renameSync(${secret}, ${inside}); fs.renameSync(${inside}, ${secret})`,
        `fs.symlinkSync('x', ${inside}); fs.unlinkSync(${inside})`,
        `fs.linkSync(${secret}, ${inside}); fs.unlinkSync(${inside})`,
      ]);
    });

    it('cannot change a file it may read [FR2]', async () => {
      const own = 'const own = process.argv[1];';
      await expectRefused([
        `${own} fs.closeSync(fs.openSync(own, 'r+'))`,
        `${own} fs.chmodSync(own, 0o644)`,
        `${own} const fd = fs.openSync(own, 'r'); fs.fchmodSync(fd, 0o644)`,
        `${own} fs.closeSync(fs.openSync(own, fs.constants.O_RDONLY | fs.constants.O_TRUNC))`,
      ]);
    });

    it('opens no channel: tcp, udp, named and abstract unix sockets, listening [FR2]', async () => {
      let connections = 0;
      const count = (socket: Duplex) => {
        connections += 1;
        socket.destroy();
      };
      const tcp = createServer(count).listen(0, '127.0.0.1');
      const named = createServer(count).listen(`${fixture.outside}/socket`);
      const abstract = createServer(count).listen(`\0bulkhead-${process.pid}`);
      await Promise.all([tcp, named, abstract].map((server) => once(server, 'listening')));
      const address = tcp.address();
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
      const connect = (to: string) =>
        `await once(net.connect(${to}), 'connect'); process.exitCode = 0; return process.exit`;
      const bodies = [
        connect(`{ port: ${port}, host: '127.0.0.1' }`),
        connect(JSON.stringify(`${fixture.outside}/socket`)),
        connect(JSON.stringify(`\0bulkhead-${process.pid}`)),
      ];
      await expectRefused(bodies);
      await expectRefused([
        `const s = net.createServer(); s.listen(0, '127.0.0.1'); await once(s, 'listening'); s.close()`,
        `const s = dgram.createSocket('udp4'); s.send('x', ${port}, '127.0.0.1'); await once(s, 'listening'); s.close()`,
      ]);
      expect(connections).toBe(bodies.length);
      for (const server of [tcp, named, abstract]) server.close();
    });

    it('starts no process and no program, not even Node itself [FR2]', async () => {
      await expectRefused([
        `const r = child_process.spawnSync('/bin/true'); if (r.error) throw r.error; return r.status`,
        `const r = child_process.spawnSync(process.execPath, ['--version']); if (r.error) throw r.error; return r.status`,
      ]);
    });

    it('cannot signal its parent, also not by owning a descriptor [FR2]', async () => {
      await expectRefused(`return process.kill(${process.pid}, 0)`);
      const self = await boxed('return process.kill(process.pid, 0)');
      expect(self.stdout).toBe('did true\n');
    });

    it('has an empty environment, whatever the launching process has [P6] [FR1]', async () => {
      const body = 'return JSON.stringify(process.env)';
      process.env['NODE_V8_COVERAGE_CANARY'] = 'canary';
      const before = process.env['NODE_V8_COVERAGE'];
      process.env['NODE_V8_COVERAGE'] = `${fixture.folder}/coverage`;
      try {
        expect((await unboxed(body)).stdout).toContain('canary');
        expect((await boxed(body)).stdout).toBe('did {}\n');
      } finally {
        delete process.env['NODE_V8_COVERAGE_CANARY'];
        if (before === undefined) delete process.env['NODE_V8_COVERAGE'];
        else process.env['NODE_V8_COVERAGE'] = before;
      }
    });

    it('inherits no descriptor but the named ones, of fifty left open [FR2] [FT05]', async () => {
      const body = `
      const same = (fd) => { try { return fs.fstatSync(fd).ino === ${statSync(fixture.secret).ino}; } catch { return false; } };
      return Array.from({ length: 200 }, (_, fd) => fd).filter(same).length`;
      const script = await fixture.script(attempt(body));
      const program = nodeProgram(script);
      const leak = `for n in {100..149}; do eval "exec $n<${fixture.secret}"; done; exec "$@"`;
      const start = (command: readonly string[]) =>
        finished(
          spawn('/bin/bash', ['-c', leak, 'bash', ...command], {
            stdio: ['ignore', 'pipe', 'pipe'],
            cwd: '/',
          }),
        );
      const command = [program.file, ...program.args];
      expect((await start(command)).stdout).toBe('did 50\n');
      const args = launcherArguments({
        mode: 'run',
        box: { kind: 'agent', read: [script] },
        parent: process.pid,
        descriptors: 3,
        cwd: '/',
        nameSpaces,
        runtimeFiles: fixture.runtimeFiles,
        command,
      });
      expect((await start([fixture.launcherPath, ...args])).stdout).toBe('did 0\n');
    });

    it('talks both ways over descriptor 3 and ends when it closes', async () => {
      const script = await fixture.script(`
      import net from 'node:net';
      const engine = new net.Socket({ fd: 3, readable: true, writable: true });
      engine.on('data', (data) => engine.write(data.toString().toUpperCase()));
      engine.on('end', () => process.exit(7));`);
      const child = fixture.sandbox.launch(
        { kind: 'agent', read: [script] },
        { ...nodeProgram(script), cwd: '/', env: {}, stdio: ['ignore', 'ignore', 'inherit', 'pipe'] },
      );
      const engine = child.stdio[3];
      if (!(engine instanceof Duplex)) throw new Error('descriptor 3 is no duplex stream');
      engine.write('hello');
      const [answer] = await once(engine, 'data');
      expect(String(answer)).toBe('HELLO');
      engine.end();
      expect(await once(child, 'exit')).toEqual([7, null]);
    });
  });
});
