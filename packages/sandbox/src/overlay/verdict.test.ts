import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BoxFixture, boxFixture } from '../testing/box-fixture.ts';
import { folderState } from '../testing/folder-state.ts';
import { type OverlayEnd, type OverlayRun, runOnOverlay, VIEWS } from '../testing/overlay-run.ts';

let fixture: BoxFixture;
let work: string;
let runs = 0;
beforeAll(async () => {
  fixture = await boxFixture();
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});
beforeEach(() => {
  runs += 1;
  work = `${fixture.folder}/w${runs}`;
  for (const folder of ['d/sub', 'old']) mkdirSync(`${work}/${folder}`, { recursive: true });
  for (const name of ['f', 'g', 'd/x', 'd/sub/y', 'old/x'])
    writeFileSync(`${work}/${name}`, `${name} at first\n`);
});

const withMeanwhile = runWith;

/** Runs `command` and commits its changes; `meanwhile` runs before the verdict. */
async function runWith(
  command: string,
  meanwhile: () => void,
  changes: Partial<OverlayRun> = {},
): Promise<OverlayEnd> {
  runs += 1;
  return runOnOverlay({
    launcherPath: fixture.launcherPath,
    work,
    scratch: `${fixture.folder}/s${runs}`,
    command,
    verdict: 'commit',
    meanwhile,
    ...changes,
  });
}

const problems = (end: OverlayEnd): string[] =>
  end.records
    .filter((record) => /^(problem|conflict) /.test(record))
    .map((record) => record.replace(/^\w+ /, ''));

describe('a file that another program uses', () => {
  it.each([
    ['has open to read and write', 'exec 9<> f; echo ready; sleep 600'],
    ['may write', 'exec 9>> f; echo ready; sleep 600'],
    ['holds a lock on', 'exec 9>> f; flock 9; echo ready; sleep 600'],
  ])('one that it %s is not replaced or deleted [B2]', async (_what, hold) => {
    const holder = spawn('/bin/bash', ['-c', `${hold} & wait`], {
      cwd: work,
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    await once(holder.stdout, 'data');
    try {
      for (const command of ['echo c > f', 'rm f']) {
        const end = await withMeanwhile(command, () => {});
        expect(problems(end)).toEqual(['open-elsewhere f']);
        expect(end.answer).toBe('dropped');
      }
      expect((await withMeanwhile('cat f > copy', () => {})).answer).toBe('committed');
    } finally {
      process.kill(-(holder.pid ?? 0), 'SIGKILL');
    }
  });
});

describe('a file that another program reads', () => {
  it.each(['echo c > f', 'rm f', 'mv g f'])(
    'is changed by %j, and stays what it is for the reader [B2]',
    async (command) => {
      const reader = openSync(`${work}/f`, 'r');
      try {
        const end = await withMeanwhile(command, () => {});
        expect([problems(end), end.answer]).toEqual([[], 'committed']);
        expect(readFileSync(reader, 'utf8')).toBe('f at first\n');
        expect(existsSync(`${work}/f`) && readFileSync(`${work}/f`, 'utf8')).not.toBe('f at first\n');
      } finally {
        closeSync(reader);
      }
    },
  );

  it('is replaced while it runs as a program, which goes on [B2]', async () => {
    copyFileSync('/bin/sleep', `${work}/program`);
    const program = spawn(`${work}/program`, ['600'], { stdio: 'ignore' });
    await once(program, 'spawn');
    try {
      const end = await withMeanwhile('cp /bin/true new; mv new program', () => {});
      expect([problems(end), end.answer]).toEqual([[], 'committed']);
      expect(program.exitCode).toBeNull();
      expect(spawnSync(`${work}/program`, ['--version']).status).toBe(0);
    } finally {
      program.kill('SIGKILL');
    }
  });
});

describe.each(VIEWS)('what a commit does not bring over from %s', (_view, options) => {
  const withMeanwhile = (command: string, meanwhile: () => void) => runWith(command, meanwhile, { options });

  it('pipes, sockets and set-user bits, and says so [FT08]', async () => {
    const command =
      'mkfifo pipe; mkdir n; mkfifo n/pipe; echo x > n/file; python3 -c "import socket; socket.socket(socket.AF_UNIX).bind(\'n/sock\')" 2>/dev/null; :';
    const end = await withMeanwhile(command, () => {});
    expect(end.records).toContain('note special-file pipe');
    expect(end.records).toContain('note special-file n/pipe');
    expect(end.answer).toBe('committed');
    expect(existsSync(`${work}/pipe`)).toBe(false);
    expect(folderState(`${work}/n`)).toMatch(/^file 100644 \d+:\d+ 2 \w+$/);
  });

  it('a pipe in the place of a file drops the command', async () => {
    const end = await withMeanwhile('rm f; mkfifo f', () => {});
    expect(problems(end)).toEqual(['special-file f']);
    expect(readFileSync(`${work}/f`, 'utf8')).toBe('f at first\n');
  });

  it('never changes the mode of a file that has other names: they may lie anywhere', async () => {
    const outside = `${fixture.outside}/linked-${runs}`;
    linkSync(`${work}/f`, outside);
    const before = statSync(outside);
    const end = await withMeanwhile('chmod 777 f; touch -d 2001-01-01 f', () => {});
    expect(end.records).toContain('note other-links f');
    expect(end.answer).toBe('committed');
    expect(statSync(outside)).toMatchObject({ mode: before.mode, mtimeMs: before.mtimeMs });
    expect(statSync(`${work}/f`).mode & 0o777).toBe(0o777);
  });

  it('leaves no mark of the overlay on what it brings over', async () => {
    const names =
      "import os,sys\nfor r,d,f in os.walk('.'):\n  for n in d+f:\n    print(*[a for a in os.listxattr(os.path.join(r,n), follow_symlinks=False)])";
    await withMeanwhile(
      'echo c >> f; chmod 700 d; mkdir n; rm -r d/sub; mkdir d/sub; mv g n/g; echo c >> d/x',
      () => {},
    );
    expect(execFileSync('python3', ['-c', names], { cwd: work, encoding: 'utf8' }).trim()).toBe('');
  });

  it('too many levels of folders drop the command', async () => {
    const end = await withMeanwhile('for i in $(seq 230); do mkdir x && cd x; done', () => {});
    expect(problems(end)[0]).toMatch(/^too-deep x\//);
    expect(end.answer).toBe('dropped');
    expect(existsSync(`${fixture.folder}/s${runs}/upper`)).toBe(false);
  });
});

describe('data that an overlay splits', () => {
  it('says that other names of a file it replaces keep the old content', async () => {
    linkSync(`${work}/f`, `${work}/other`);
    const end = await withMeanwhile('echo c > f', () => {});
    expect(end.records).toContain('note other-links f');
    expect(readFileSync(`${work}/other`, 'utf8')).toBe('f at first\n');
  });
});

describe('the verdict', () => {
  it('is a drop by default, whatever the command did', async () => {
    const before = folderState(work);
    const end = await withMeanwhile('echo c > f; rm -r d', () => {}, { verdict: 'none' });
    expect(end.mark).toBe('none');
    expect(folderState(work)).toBe(before);
  });

  it('cannot be given by the command: its channel is closed in the box [B2]', async () => {
    const attack =
      'for n in 3 4 5 6 7 8 9; do printf "commit\\n" 2>/dev/null >&$n; done; ls /proc/self/fd | wc -l; echo c > f';
    const end = await withMeanwhile(attack, () => {}, { verdict: 'drop' });
    expect(end.stdout).toBe('4\n');
    expect(readFileSync(`${work}/f`, 'utf8')).toBe('f at first\n');
  });

  it('keeps what a command did that failed', async () => {
    const end = await withMeanwhile('echo c > f; exit 3', () => {});
    expect([end.code, end.records[0], end.answer]).toEqual([3, 'ended 3', 'committed']);
  });
});

describe.each(VIEWS)('for an ordinary user, on %s', (_view, options) => {
  const withMeanwhile = (command: string, meanwhile: () => void, changes: Partial<OverlayRun>) =>
    runWith(command, meanwhile, { options, ...changes });

  it('keeps files that their owner can not read as well', async () => {
    const user =
      process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
    const home = `${fixture.folder}/user${runs}`;
    mkdirSync(home);
    chmodSync(home, 0o777);
    const through = [
      ...user,
      'bash',
      '-c',
      `mkdir ${home}/w ${home}/w/d && echo x > ${home}/w/f && echo x > ${home}/w/d/f && chmod 444 ${home}/w/f && exec "$0" "$@"`,
    ];
    const command = 'chmod u+w f; echo y >> f; chmod u-w f; echo y >> d/f; rm -f d/none; chmod 555 d';
    const end = await withMeanwhile(command, () => {}, {
      work: `${home}/w`,
      scratch: `${home}/s`,
      through,
      ...(user.length === 0 ? {} : { owner: 65534 }),
    });
    expect(end.answer, end.stderr).toBe('committed');
    expect(readFileSync(`${home}/w/f`, 'utf8') + readFileSync(`${home}/w/d/f`, 'utf8')).toBe('x\ny\nx\ny\n');
    expect([statSync(`${home}/w/f`).mode & 0o777, statSync(`${home}/w/d`).mode & 0o777]).toEqual([
      0o444, 0o555,
    ]);
  });
});

describe('a scratch folder', () => {
  it('that is in use refuses the launch', async () => {
    const scratch = `${fixture.folder}/used`;
    const first = runOnOverlay({
      launcherPath: fixture.launcherPath,
      work,
      scratch,
      command: 'echo c > f',
      verdict: 'drop',
    });
    await first;
    mkdirSync(`${scratch}/upper`);
    const { launcherPath } = fixture;
    const args = [
      'run',
      'shell',
      '--fds',
      '4',
      '--work',
      work,
      '--home',
      '/home/x',
      '--cwd',
      work,
      '--overlay',
      scratch,
      '--',
      '/bin/true',
    ];
    const child = spawn(launcherPath, args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
    let said = '';
    child.stderr?.on('data', (text: Buffer) => {
      said += text.toString();
    });
    await once(child, 'close');
    expect([child.exitCode, said]).toEqual([
      125,
      'bulkhead-launcher: make in the scratch folder upper: errno 17\n',
    ]);
  });

  it('inside the working folder refuses the launch', async () => {
    const end = await withMeanwhile(':', () => {}, { scratch: `${work}/scratch` });
    expect([end.code, end.records]).toEqual([125, []]);
  });
});
