import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BoxFixture, boxFixture, NOBODY } from '../testing/box-fixture.ts';
import { folderState } from '../testing/folder-state.ts';
import { type OverlayEnd, type OverlayRun, runOnOverlay } from '../testing/overlay-run.ts';

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
  mkdirSync(`${work}/old/in`, { recursive: true });
  writeFileSync(`${work}/old/in/a`, 'a\n');
});

function run(command: string, changes: Partial<OverlayRun> = {}): Promise<OverlayEnd> {
  runs += 1;
  const scratch = `${fixture.folder}/s${runs}`;
  return runOnOverlay({
    launcherPath: fixture.launcherPath,
    work,
    scratch,
    command,
    verdict: 'commit',
    ...changes,
  });
}

/** Calls rename, and says the error. */
const RENAME = `
def rename(a, b):
    try: os.rename(a, b); print(b, "done", flush=True)
    except OSError as error: print(b, errno.errorcode[error.errno], flush=True)
`;
/** Says its number: the only process of the box beside init and this shell. */
const MOVER =
  'cd /proc && for n in [0-9]*; do [ $n != 1 ] && [ $n != $$ ] && [ $n != $BASHPID ] && echo $n; done';
const python = (lines: string) => `python3 - <<'END'
import ctypes, errno, os, signal, sys, time
libc = ctypes.CDLL(None, use_errno=True)
${RENAME}${lines}
END`;

describe('the process that renames folders', () => {
  it.runIf(process.getuid?.() === 0)('does nothing for one who gave up rights of the box [B2]', async () => {
    mkdirSync(`${work}/theirs/old/in`, { recursive: true });
    spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, `${work}/theirs`]);
    chmodSync(`${work}/theirs`, 0o755);
    const { stdout } = await run(
      python(`
import struct
child = os.fork()
if child == 0:
    header = ctypes.create_string_buffer(struct.pack("<II", 0x20080522, 0))
    assert libc.capset(header, ctypes.create_string_buffer(24)) == 0
    rename("theirs/old", "theirs/new")
    os._exit(0)
os.waitpid(child, 0)
rename("theirs/old", "theirs/new")
`),
    );
    expect(stdout).toBe('theirs/new EACCES\ntheirs/new done\n');
  });

  it('does nothing for one who confined itself by Landlock, nor for its children [B2]', async () => {
    const { stdout } = await run(
      python(`
import struct
rename("old", "first")
handled = struct.pack("<Q", 1 << 13)
ruleset = libc.syscall(444, handled, 8, 0)
assert ruleset >= 0
assert libc.prctl(38, 1, 0, 0, 0) == 0
if os.fork() == 0:
    assert libc.syscall(446, ruleset, 0) == 0
    os.mkdir("side")
    rename("first/in", "side/in")
    sys.stdout.flush()
    if os.fork() == 0:
        rename("first/in", "side/in")
        sys.stdout.flush()
        os._exit(0)
    os.wait()
    os._exit(0)
os.wait()
`),
    );
    expect(stdout).toBe('first done\nside/in EXDEV\nside/in EXDEV\n');
  });

  it('finishes what it has begun when the command ends [B2]', async () => {
    for (let index = 0; index < 1000; index++) writeFileSync(`${work}/old/in/f${index}`, 'x'.repeat(5000));
    const before = folderState(`${work}/old`);
    const { answer } = await run(
      python(`
child = os.fork()
if child == 0:
    os.rename("old", "new")
    os._exit(0)
while not any(name.startswith(".moving-") for name in os.listdir(".")): time.sleep(0.001)
os._exit(0)
`),
    );
    expect(answer).toBe('committed');
    expect(readdirSync(work)).toEqual(['new']);
    expect(folderState(`${work}/new`)).toBe(before);
  });

  it('killed, leaves nothing renamed, and the command and its outcome go on [B2]', async () => {
    const { stdout, answer } = await run(
      `echo x > file; kill -9 $(${MOVER}); ${python(`
rename("file", "other")
rename("old", "new")
`)}`,
    );
    expect(stdout).toMatch(/^other ENOSYS\nnew ENOSYS\n/);
    expect(answer).toBe('committed');
    expect(readdirSync(work).toSorted()).toEqual(['file', 'old']);
  });

  it('is not ended by signals that programs send to all, but by KILL [B2]', async () => {
    const { stdout } = await run(
      `trap '' TERM HUP INT; kill -TERM -1; kill -HUP -1; ${python('rename("old", "new")')}`,
    );
    expect(stdout).toBe('new done\n');
  });

  it('takes no path below /proc for its own [B2]', async () => {
    mkdirSync(`${work}/aim/sub`, { recursive: true });
    const { stdout } = await run(
      python(`
for number in range(12): os.dup2(os.open("aim", os.O_RDONLY), number) if number not in (1, 2) else None
for start in ("/proc", "//proc", "/./proc", "../../../../../../proc"):
    for number in (0, 3, 4, 5): rename("old/in", "%s/self/fd/%d/new" % (start, number))
`),
    );
    expect(stdout.match(/ EXDEV\n/g)).toHaveLength(16);
    expect(readdirSync(`${work}/old`)).toEqual(['in']);
  });

  it('gives a folder no entry of the list of rights that the new place gives to new ones [B2]', async () => {
    const { stdout } = await run(
      python(`
import struct
os.mkdir("to")
def entry(tag, perm, id): return struct.pack("<HHI", tag, perm, id & 0xffffffff)
acl = struct.pack("<I", 2) + entry(1, 7, -1) + entry(2, 7, 0) + entry(4, 7, -1) + entry(16, 7, -1) + entry(32, 5, -1)
os.setxattr("to", "system.posix_acl_default", acl)
os.chmod("old", 0o750)
rename("old", "to/new")
print(os.listxattr("to/new"))
`),
    );
    expect(stdout).toBe('to/new done\n[]\n');
  });

  it('shows nothing of itself: no memory, no descriptor, no folder of its own [B2]', async () => {
    const { stdout, stderr } = await run(
      `cd /proc/$(${MOVER}) && for file in environ maps mem auxv syscall stack io fd/* cwd/* root/* exe; do
        [ -n "$(head -c 1 $file | tr '\\0' x)" ] && echo $file
      done; grep Seccomp: status`,
    );
    expect(stdout).toBe('Seccomp:\t2\n');
    expect(stderr).toContain("'mem'");
  });

  it('is traced by no one, and with its limits lowered it does less, not more [B2]', async () => {
    const { stdout } = await run(
      `mover=$(${MOVER}); export mover; ${python(`
import resource
mover = int(os.environ["mover"])
class Piece(ctypes.Structure): _fields_ = [("at", ctypes.c_void_p), ("size", ctypes.c_size_t)]
byte = ctypes.create_string_buffer(8)
here, there = ctypes.byref(Piece(ctypes.addressof(byte), 8)), ctypes.byref(Piece(0x400000, 8))
for name, result in (
    ("attach", lambda: libc.ptrace(16, mover, 0, 0)),
    ("seize", lambda: libc.ptrace(0x4206, mover, 0, 0)),
    ("read", lambda: libc.process_vm_readv(mover, here, 1, there, 1, 0)),
    ("write", lambda: libc.process_vm_writev(mover, here, 1, there, 1, 0)),
): print(name, result(), errno.errorcode[ctypes.get_errno()], flush=True)
resource.prlimit(mover, resource.RLIMIT_NOFILE, (0, 0))
rename("old", "new")
`)}`,
    );
    const refused = ['attach', 'seize', 'read', 'write'].map((name) => `${name} -1 EPERM\n`);
    expect(stdout).toBe(`${refused.join('')}new EXDEV\n`);
  });
});
