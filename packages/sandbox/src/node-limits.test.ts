import { spawn } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launcherArguments } from './launcher-arguments.ts';
import {
  agentBox,
  attempt,
  type BoxFixture,
  boxFixture,
  finished,
  inNodeBox,
  NOBODY,
  nodeProgram,
  workerBox,
} from './testing/box-fixture.ts';

let fixture: BoxFixture;
beforeAll(async () => {
  fixture = await boxFixture();
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});

describe('limits of a boxed Node', () => {
  const limits = { maxDataBytes: 1024 ** 3, maxProcesses: 64, maxOpenFiles: 100 };

  it('hold for its memory', async () => {
    const body = `return Buffer.alloc(600 * 2 ** 20, 1).length / 2 ** 20`;
    const script = await fixture.script(attempt(body));
    const control = await finished(spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'pipe'] }));
    expect(control.stdout).toBe('did 600\n');
    for (const box of [(own: string) => ({ ...agentBox(own), limits }), workerBox({ limits })]) {
      const run = await inNodeBox(fixture, box, body);
      expect(run.stdout).not.toMatch(/^did/);
    }
    expect((await inNodeBox(fixture, agentBox, 'return 1')).stdout).toBe('did 1\n');
  });

  it('hold for its open files', async () => {
    const body = `let count = 0; try { for (;;) { fs.openSync(process.argv[1]); count += 1; } } catch (error) { return error.code + (count > 50 && count < 100); }`;
    for (const box of [(own: string) => ({ ...agentBox(own), limits }), workerBox({ limits })]) {
      expect((await inNodeBox(fixture, box, body)).stdout).toBe('did EMFILEtrue\n');
    }
  });

  it('hold for its processes, for an ordinary user, whatever else he runs', async (context) => {
    if (process.getuid?.() !== 0) return context.skip('not root: nobody else can be asked to run it');
    const script = await fixture.script(`
      import { spawn } from 'node:child_process';
      let refused = 0;
      for (let count = 0; count < 80; count += 1)
        spawn(process.execPath, [...process.execArgv, '-e', 'setTimeout(() => {}, 3000)'], { stdio: 'ignore' })
          .on('error', (error) => { refused += error.code === 'EAGAIN' ? 1 : 0; });
      setTimeout(() => { console.log(refused > 20 ? 'limited' : 'free ' + refused); process.exit(); }, 1500);`);
    chmodSync(script, 0o644);
    const args = launcherArguments({
      mode: 'run',
      box: { kind: 'worker', read: [script], write: [], execute: [process.execPath], limits },
      parent: process.pid,
      descriptors: 3,
      cwd: '/',
      nameSpaces: true,
      runtimeFiles: fixture.runtimeFiles,
      command: [process.execPath, ...nodeProgram(script).args],
    });
    const run = await finished(
      spawn(fixture.launcherPath, args, {
        uid: NOBODY,
        gid: NOBODY,
        cwd: '/',
        env: {},
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    if (/errno 13/.test(run.stderr)) return context.skip('an ordinary user cannot read this repository');
    expect(run.stdout, run.stderr).toBe('limited\n');
  });
});
