import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox } from './create-sandbox.ts';
import { launcherArguments } from './launcher-arguments.ts';
import { type BoxFixture, boxFixture, finished, packageRoot } from './testing/box-fixture.ts';

const DRIVER = fileURLToPath(new URL('testing/launch-and-wait.ts', import.meta.url));
const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

let fixture: BoxFixture;
beforeAll(async () => {
  fixture = await boxFixture();
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});

describe('where the kernel refuses name spaces', () => {
  it('agents and workers are boxed by the first wall, and the report says so [FR2]', async () => {
    const request = JSON.stringify({ packageRoot, scratch: fixture.work });
    const box = fixture.shellBox({ readOnly: [REPOSITORY] });
    const inner = fixture.sandbox.launch(box, {
      file: process.execPath,
      args: [DRIVER, request],
      cwd: '/',
      env: {},
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const run = await finished(inner);
    const first = {
      ok: true,
      failed: [],
      walls: ['landlock', 'seccomp'],
      withoutNameSpaces: 'bulkhead-launcher: make name spaces: errno 1',
    };
    expect(JSON.parse(run.stdout), run.stderr).toMatchObject({
      ok: false,
      boxes: { agent: first, worker: first },
    });
  });

  it('a launch that requires them runs nothing: it has no automatic fallback [FT06]', async () => {
    const args = launcherArguments({
      mode: 'run',
      box: { kind: 'agent', read: [] },
      parent: 1,
      descriptors: 3,
      cwd: '/',
      nameSpaces: true,
      runtimeFiles: [],
      command: [fixture.launcherPath, 'version'],
    }).filter((word, at, all) => word !== '--parent' && all[at - 1] !== '--parent');
    const start = (sandboxed: boolean) =>
      finished(
        sandboxed
          ? fixture.sandbox.launch(fixture.shellBox({ readOnly: [fixture.launcherPath] }), {
              file: fixture.launcherPath,
              args,
              cwd: '/',
              env: {},
              stdio: ['ignore', 'pipe', 'pipe'],
            })
          : spawn(fixture.launcherPath, args, { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] }),
      );
    expect(await start(false)).toMatchObject({ code: 0, stdout: 'bulkhead-launcher 1\n' });
    expect(await start(true)).toMatchObject({
      code: 125,
      stdout: '',
      stderr: 'bulkhead-launcher: make name spaces: errno 1\n',
    });
  });

  it.for([
    ['no Landlock', 'landlock_create_ruleset:error=ENOSYS', 'Landlock is not available: errno 38'],
    ['a root that can not be made', 'getcwd:error=ENOENT', 'find the current folder: errno 2'],
  ])('and where it has %s, no box holds [FT06]', async ([, fault = '', reason = ''], context) => {
    if (spawnSync('strace', ['-V']).status !== 0)
      return context.skip('strace is not here to make calls fail');
    const launcherPath = `${fixture.folder}/faulty-launcher`;
    const options = `-D -f -qq -o /dev/null -e trace=${fault.split(':')[0]} -e inject=${fault}`;
    writeFileSync(launcherPath, `#!/bin/sh\nexec strace ${options} ${fixture.launcherPath} "$@"\n`);
    chmodSync(launcherPath, 0o755);
    const nameSpaces = { agent: true, worker: true };
    const parts = { nodePath: process.execPath, runtimeFiles: fixture.runtimeFiles, scratch: fixture.folder };
    const { ok, boxes } = await createSandbox({ ...parts, launcherPath, nameSpaces }).probe();
    expect(ok).toBe(false);
    expect(boxes.agent).toMatchObject({ ok: false, failed: [], reason: `bulkhead-launcher: ${reason}` });
    expect(boxes.worker).toMatchObject({ ok: false, failed: [] });
  });
});
