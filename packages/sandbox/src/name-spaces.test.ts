import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Box } from './box.ts';
import {
  agentBox,
  attempt,
  type BoxFixture,
  boxFixture,
  finished,
  inNodeBox,
  inShell,
  nodeProgram,
  packageRoot,
  workerBox,
} from './testing/box-fixture.ts';

const DRIVER = fileURLToPath(new URL('testing/launch-and-wait.ts', import.meta.url));

let fixture: BoxFixture;
beforeAll(async () => {
  fixture = await boxFixture();
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});

const boxed = (body: string, box: (script: string) => Box, cwd?: string) =>
  inNodeBox(fixture, box, body, cwd);

/** Files and folders below `root`, without it, as paths. */
function everythingBelow(root: string): string[] {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return entries.map(({ parentPath, name }) => `${parentPath}/${name}`.slice(root.length)).sort();
}

/** Paths and the folders above them. */
function withParents(paths: readonly string[]): string[] {
  const all = new Set<string>();
  for (const path of paths) for (let at = path; at !== '/'; at = dirname(at)) all.add(at);
  return [...all].sort();
}

/** A boxed process that keeps running, and its number outside. */
async function staying(box: (script: string) => Box): Promise<{ child: ChildProcess; pid: number }> {
  const script = await fixture.script(`console.log('up'); setInterval(() => {}, 1000);`);
  const child = fixture.sandbox.launch(box(script), {
    ...nodeProgram(script),
    cwd: '/',
    env: {},
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout === null) throw new Error('no stdout');
  await once(child.stdout, 'data');
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
  return { child, pid: Number(children.trim()) };
}

describe('a box with name spaces', () => {
  it('has only the listed paths in it, looked at from outside [FR2] [FT01]', async () => {
    const extra = `${fixture.outside}/listed`;
    writeFileSync(extra, '');
    let script = '';
    const { child, pid } = await staying((own) => {
      script = own;
      return { kind: 'agent', read: [own, extra] };
    });
    const granted = [...fixture.runtimeFiles, script, extra];
    expect(everythingBelow(`/proc/${pid}/root`)).toEqual(withParents(granted));
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  it.each([
    ['agent', agentBox],
    ['worker', workerBox()],
  ])('shows a %s none of hundreds of paths, not even that they exist [FR2] [FT01]', async (kind, box) => {
    const list = (folder: string) =>
      readdirSync(folder).map((name) => `${folder === '/' ? '' : folder}/${name}`);
    const secret = [fixture.secret, '/dev/mem', `/proc/${process.pid}/root`, `/proc/${process.pid}/environ`];
    const known = ['/', '/etc', '/usr/bin', '/usr/sbin', '/var', '/proc', '/sys', '/dev', '/root'].flatMap(
      list,
    );
    const paths = [...new Set([...known, ...secret])].filter(
      // Small numbers belong to its own threads inside.
      (path) => path !== '/proc/self' && !/^\/proc\/\d{1,2}$/.test(path),
    );
    expect(paths.length).toBeGreaterThan(500);
    writeFileSync(`${fixture.work}/paths.json`, JSON.stringify(paths));
    const body = (path: string) => `
      const paths = JSON.parse(fs.readFileSync(${JSON.stringify(path)}, 'utf8'));
      const seen = paths.filter((path) => fs.existsSync(path));
      const read = paths.filter((path) => { try { fs.closeSync(fs.openSync(path)); return true; } catch { return false; } });
      const listed = paths.filter((path) => { try { return fs.readdirSync(path).length > 0; } catch { return false; } });
      return JSON.stringify([seen, read, listed])`;
    const inside = await boxed(body(`${fixture.work}/paths.json`), (script) => {
      const one = box(script);
      return { ...one, read: [...one.read, `${fixture.work}/paths.json`] };
    });
    expect(inside.stdout, inside.stderr).toMatch(/^did /);
    const [seen, read, listed]: string[][] = JSON.parse(inside.stdout.slice(4));
    // Granted paths have parent folders; a worker has its own processes and the empty device.
    const shown = withParents([...fixture.runtimeFiles, fixture.work]);
    const own = kind === 'worker' ? ['/proc', '/dev', '/dev/null', '/proc/thread-self'] : [];
    expect(seen?.filter((path) => !shown.includes(path) && !own.includes(path))).toEqual([]);
    expect(read?.filter((path) => !fixture.runtimeFiles.includes(path))).toEqual(
      kind === 'worker' ? ['/dev/null'] : [],
    );
    expect(listed).toEqual([]);
  });

  it('names no process outside, and is named by none inside another box [FT09]', async () => {
    const other = await staying(workerBox({ write: [fixture.outside] }));
    const body = `
      const outcomes = [];
      const tries = {
        kill: () => process.kill(${other.pid}, 0),
        group: () => process.kill(-${other.pid}, 0),
        environment: () => fs.readFileSync('/proc/${other.pid}/environ'),
        memory: () => fs.openSync('/proc/${other.pid}/mem'),
        root: () => fs.readdirSync('/proc/${other.pid}/root'),
        file: () => fs.readFileSync(${JSON.stringify(fixture.secret)}),
        write: () => fs.writeFileSync(${JSON.stringify(`${fixture.outside}/stolen`)}, ''),
      };
      for (const [name, attempt] of Object.entries(tries)) {
        try { attempt(); outcomes.push(name); } catch { }
      }
      return outcomes.join(' ')`;
    const script = await fixture.script(attempt(body));
    const control = await finished(spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'pipe'] }));
    expect(control.stdout).toMatch(/^did kill group environment (memory )?(root )?file write\n$/);
    for (const box of [agentBox, workerBox({ write: [fixture.work] })]) {
      expect((await boxed(body, box)).stdout).toBe('did \n');
    }
    other.child.kill('SIGKILL');
    await once(other.child, 'exit');
  });

  it('gives a worker a /proc with its own box in it, through which it reaches its descriptors only', async () => {
    const run = await boxed(
      `const folder = fs.openSync(${JSON.stringify(fixture.work)});
       fs.writeFileSync('/proc/self/fd/' + folder + '/by-descriptor', 'text');
       return [process.pid, fs.readdirSync('/proc').filter((name) => /^\\d/.test(name)), fs.existsSync('/proc/cpuinfo')].join(' ')`,
      workerBox({ read: ['/proc'], write: [fixture.work] }),
    );
    expect(run.stdout, run.stderr).toBe('did 1 1 false\n');
    expect(readFileSync(`${fixture.work}/by-descriptor`, 'utf8')).toBe('text');
  });

  it('lets a worker change no mode and no time of what it only reads', async () => {
    const body = `const fd = fs.openSync(${JSON.stringify(fixture.secret)}); fs.futimesSync(fd, 1, 1); fs.fchmodSync(fd, 0o666)`;
    const before = statSync(fixture.secret).mtimeMs;
    const read = workerBox({ read: [fixture.outside] });
    expect((await boxed(body, read)).stdout).toBe('refused EROFS\n');
    expect(statSync(fixture.secret).mtimeMs).toBe(before);
  });

  it('starts in the given folder, even if only the path to it is granted', async () => {
    mkdirSync(`${fixture.work}/deep`, { recursive: true });
    const body = `return process.cwd()`;
    const inside = await boxed(body, workerBox({ write: [fixture.work] }), `${fixture.work}/deep`);
    expect(inside.stdout, inside.stderr).toBe(`did ${fixture.work}/deep\n`);
    expect((await boxed(body, agentBox, fixture.outside)).stdout).toBe(`did ${fixture.outside}\n`);
  });

  it('shows what is granted within a granted folder as it is granted', async () => {
    mkdirSync(`${fixture.work}/kept`, { recursive: true });
    writeFileSync(`${fixture.work}/kept/file`, 'kept');
    const body = `
      fs.writeFileSync(${JSON.stringify(`${fixture.work}/free`)}, '');
      const inner = ${JSON.stringify(`${fixture.work}/kept/file`)};
      try { fs.writeFileSync(inner, 'changed'); } catch (error) { return fs.readFileSync(inner) + ' ' + error.code; }`;
    const box = workerBox({ write: [fixture.work], read: [`${fixture.work}/kept`] });
    const run = await boxed(body, box);
    expect(run.stdout, run.stderr).toBe('did kept EROFS\n');
  });

  it('shows the whole tree where that is what is granted', async () => {
    const body = `return [fs.readFileSync('/etc/passwd').length > 0, fs.existsSync('/proc/self/fd'), process.pid].join(' ')`;
    const run = await boxed(body, workerBox({ read: ['/'] }));
    expect(run.stdout, run.stderr).toBe('did true true 1\n');
  });

  it('holds no byte of the secrets of the process that launched it [FT03] [P6]', async (context) => {
    const canary = ['bulkhead', 'canary', 'in', 'the', 'environment', String(process.pid)].join('-');
    const script = await fixture.script(`console.log('up'); setInterval(() => {}, 1000);`);
    const launch = { box: agentBox(script), ...nodeProgram(script), cwd: '/' };
    const request = JSON.stringify({ packageRoot, scratch: fixture.folder, launch });
    const driver = spawn(process.execPath, [DRIVER, request], {
      env: { CANARY: canary },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(driver.stdout, 'data');
    const childOf = (pid: number | undefined) =>
      Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
    const launcher = childOf(driver.pid);
    const inside = childOf(launcher);
    const found = [driver.pid ?? 0, launcher, inside].map((pid) => memoryHolds(pid, canary));
    driver.kill('SIGKILL');
    await once(driver, 'exit');
    if (found.includes(undefined))
      return context.skip('this system shows nobody the memory of another process');
    expect(found).toEqual([true, false, false]);
  });
});

/** Whether `text` is anywhere in the writable memory, arguments or environment of a process. */
function memoryHolds(pid: number, text: string): boolean | undefined {
  const search = `
    import sys
    pid, text = sys.argv[1], sys.argv[2].encode()
    found = any(text in open(f'/proc/{pid}/{name}', 'rb').read() for name in ('environ', 'cmdline'))
    with open(f'/proc/{pid}/maps') as maps, open(f'/proc/{pid}/mem', 'rb', 0) as memory:
        for line in maps:
            bounds, rights = line.split()[:2]
            start, end = (int(part, 16) for part in bounds.split('-'))
            if 'w' not in rights or 'v' in line.split()[-1][:2]: continue
            for at in range(start, end, 1 << 24):
                try:
                    memory.seek(at)
                    found = found or text in memory.read(min(1 << 24, end - at))
                except (OSError, ValueError): pass
    print(found)`.replaceAll('\n    ', '\n');
  const run = spawnSync('python3', ['-c', search, String(pid), text], { encoding: 'utf8' });
  return run.status === 0 ? run.stdout.trim() === 'True' : undefined;
}

describe('a shell box', () => {
  it.runIf(existsSync('/usr/bin/script'))(
    'has terminals of its own, and none of the machine [B2]',
    async () => {
      const line =
        'ls /dev/pts; script -qec "test -t 0 && test -t 1 && ls -1 /dev/pts" /dev/null | tr -d "\\r"';
      expect(await inShell(fixture, line)).toMatchObject({ stdout: 'ptmx\n0\nptmx\n', code: 0 });
    },
  );
});
