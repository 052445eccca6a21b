import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type BoxFixture,
  boxFixture,
  finished,
  inShell,
  limits,
  unboxedShell,
} from './testing/box-fixture.ts';

const isRoot = process.getuid?.() === 0;
const NONE = '0'.repeat(16);

let fixture: BoxFixture;
beforeAll(async () => {
  fixture = await boxFixture();
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});

/** `line` prints something outside; inside it prints only `inside`. */
async function expectDifference(line: string, outside: RegExp, inside: RegExp): Promise<void> {
  expect((await unboxedShell(fixture, line)).stdout, 'control').toMatch(outside);
  const boxed = await inShell(fixture, line);
  expect(boxed.stdout, boxed.stderr).toMatch(inside);
}

describe('shell box', () => {
  it('passes exit statuses and signals on', async () => {
    expect(await inShell(fixture, 'exit 0')).toMatchObject({ code: 0, signal: null });
    expect(await inShell(fixture, 'exit 7')).toMatchObject({ code: 7 });
    expect(await inShell(fixture, 'kill -TERM $$')).toMatchObject({ code: 143 });
    expect(await inShell(fixture, 'kill -KILL $$')).toMatchObject({ code: 137 });
  });

  it('shows a hidden file as empty, and a denied one as closed; neither can be written or taken away [FR3]', async () => {
    for (const name of ['hidden', 'denied']) await writeFile(`${fixture.work}/${name}`, 'canary');
    const box = fixture.shellBox({ hide: [`${fixture.work}/hidden`], deny: [`${fixture.work}/denied`] });
    const line =
      'cat hidden && echo empty; cat denied || echo closed; for f in hidden denied; do echo x > $f; rm -f $f; done; ls';
    const program = {
      file: '/bin/bash',
      args: ['-c', line],
      cwd: fixture.work,
      env: { PATH: '/usr/bin:/bin' },
    };
    const run = await finished(
      fixture.sandbox.launch(box, { ...program, stdio: ['ignore', 'pipe', 'pipe'] }),
    );
    expect(run.stdout).toMatch(/^empty\nclosed\n(?:.*\n)*denied\n(?:.*\n)*hidden\n/);
    for (const name of ['hidden', 'denied']) {
      expect(readFileSync(`${fixture.work}/${name}`, 'utf8')).toBe('canary');
      await rm(`${fixture.work}/${name}`);
    }
  });

  it('keeps stdout, stderr and the order of each, and closes them when the command does', async () => {
    const run = await inShell(fixture, 'echo out; echo err >&2; echo more');
    expect(run).toMatchObject({ stdout: 'out\nmore\n', stderr: 'err\n' });
  });

  it('runs common tools: git, pipes, here documents, process substitution, python if there', async () => {
    const run = await inShell(
      fixture,
      `set -e; mkdir tools; cd tools; git init -q .; git -c user.name=n -c user.email=e commit -q --allow-empty -m first
       git log --format=%s; cat <(echo substituted); cat <<< here; seq 3 | sort -r | head -1; echo $((6*7)) > /dev/null
       test -c /dev/urandom; getent hosts localhost >/dev/null; cd ..; rm -rf tools; ! command -v python3 >/dev/null || python3 -c 'print(1)'`,
    );
    expect(run.stderr).toBe('');
    expect(run.stdout.split('\n').slice(0, 4)).toEqual(['first', 'substituted', 'here', '3']);
    expect(run.code).toBe(0);
  });

  it('writes the working folder at its real path; the files belong to the caller', async () => {
    const run = await inShell(fixture, 'pwd; echo text > made; mkdir folder; touch folder/file');
    expect(run).toMatchObject({ code: 0, stdout: `${fixture.work}\n` });
    expect(readFileSync(`${fixture.work}/made`, 'utf8')).toBe('text\n');
    for (const name of ['made', 'folder', 'folder/file']) {
      expect(statSync(`${fixture.work}/${name}`)).toMatchObject({
        uid: process.getuid?.(),
        gid: process.getgid?.(),
      });
    }
  });

  it('has no way to the network: listeners on the host hear nothing [D5] [FT96]', async () => {
    let connections = 0;
    const count = () => {
      connections += 1;
    };
    const tcp = createServer(count).listen(0, '127.0.0.1');
    const abstract = createServer(count).listen(`\0bulkhead-shell-${process.pid}`);
    const named = createServer(count).listen(`${fixture.outside}/socket`);
    await Promise.all([tcp, abstract, named].map((server) => once(server, 'listening')));
    const address = tcp.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const node = (to: string) =>
      `${process.execPath} -e 'require("net").connect(${to}).on("connect", function () { console.log("open"); this.destroy() })
         .on("error", (error) => console.log(error.code))'`;
    const readOnly = { readOnly: [process.execPath] };
    const targets = [
      `{ port: ${port}, host: "127.0.0.1" }`,
      `"\\0bulkhead-shell-${process.pid}"`,
      JSON.stringify(`${fixture.outside}/socket`),
    ];
    for (const target of targets) {
      expect((await unboxedShell(fixture, node(target))).stdout).toBe('open\n');
      expect((await inShell(fixture, node(target), readOnly)).stdout).toMatch(/^(ECONNREFUSED|ENOENT)\n$/);
    }
    await expectDifference('cut -d: -f1 /proc/net/dev | tail -n +3 | grep -cv lo; true', /./, /^0\n$/);
    expect(connections).toBe(targets.length);
    for (const server of [tcp, abstract, named]) server.close();
  });

  it('has its own loopback, so that servers started inside can be reached inside', async () => {
    const script = `const s = require("net").createServer((c) => c.end("hi")).listen(0, "127.0.0.1", () =>
      require("net").connect(s.address().port, "127.0.0.1").on("data", (d) => { console.log(String(d)); s.close(); }))`;
    const run = await inShell(fixture, `${process.execPath} -e '${script}'`, {
      readOnly: [process.execPath],
    });
    expect(run.stdout, run.stderr).toBe('hi\n');
  });

  it('has a private home and private temporary folders that leave nothing behind [FT01]', async () => {
    await writeFile(`${fixture.folder}/home/secret`, 'canary');
    await expectDifference('cat ~/secret', /^canary$/, /^$/);
    await expectDifference(`cat ${fixture.secret}`, /^canary$/, /^$/);
    const name = `bulkhead-private-${process.pid}`;
    const run = await inShell(
      fixture,
      `for f in ~ /tmp /var/tmp /dev/shm; do echo x > $f/${name} && cat $f/${name}; done`,
    );
    expect(run.stdout, run.stderr).toBe('x\nx\nx\nx\n');
    for (const folder of [`${fixture.folder}/home`, '/tmp', '/var/tmp', '/dev/shm']) {
      expect(existsSync(`${folder}/${name}`)).toBe(false);
    }
  });

  it('refuses to write beside the working folder, where nothing would be kept [B2]', async () => {
    const run = await inShell(
      fixture,
      'for f in ../outside /opt/outside; do echo z > $f && echo wrote $f; done; mkdir ../d && echo made; ls ..; echo free > /tmp/free && cat /tmp/free',
    );
    expect(run.stdout).toBe('home\nwork\nfree\n');
    expect(run.stderr).toContain('../outside: Read-only file system');
  });

  it('shows of the host only the system, read-only, without its keys [FT01]', async () => {
    const run = await inShell(
      fixture,
      `for f in /etc/shadow /etc/ssh /root /boot /var/log /sys /srv /mnt /dev/sda /dev/mem /dev/kmsg; do
         test -e $f && echo "seen $f"; done
       for f in / /usr /etc /usr/bin /dev /run /proc/sys/kernel/core_pattern; do
         { echo x > $f || touch $f/x; } 2>/dev/null && echo "wrote $f"; done; ls /var/lib | grep -vxE 'apt|dpkg'; ls /var/lib/apt | grep -vxE 'extended_states|lists'; echo end`,
    );
    expect(run.stdout, run.stderr).toBe('end\n');
    expect(existsSync('/etc/shadow') && existsSync('/var/log'), 'control').toBe(true);
    expect(readdirSync('/var/lib').length, 'control').toBeGreaterThan(1);
  });

  it('sees no process outside and cannot trace its own init [FT09] [FT03]', async () => {
    await expectDifference(`kill -0 ${process.pid} && echo alive`, /^alive$/m, /^$/);
    await expectDifference('ls -d /proc/[0-9]* | wc -l', /^\d{2,}$/m, /^[3-6]$/m);
    const init = await inShell(
      fixture,
      'cat /proc/1/environ || echo closed; cat /proc/$$/environ >/dev/null && echo own',
    );
    expect(init.stdout).toBe('closed\nown\n');
  });

  it('has no capability but, as root, those over files, no new name space and no way up [FT04]', async () => {
    const run = await inShell(
      fixture,
      'grep -E "Cap(Inh|Prm|Eff|Bnd|Amb)|NoNewPrivs|Seccomp:" /proc/self/status | tr -d "\\t "',
    );
    // CHOWN, DAC_OVERRIDE, FOWNER, SETGID, SETUID
    const kept = isRoot ? '00000000000000cb' : NONE;
    expect(run.stdout.trim().split('\n')).toEqual([
      `CapInh:${NONE}`,
      ...['Prm', 'Eff', 'Bnd'].map((set) => `Cap${set}:${kept}`),
      `CapAmb:${NONE}`,
      'NoNewPrivs:1',
      'Seccomp:2',
    ]);
    for (const line of [
      'unshare -Ur true',
      'unshare -m true',
      'mount -t tmpfs x /tmp',
      'umount /proc',
      'chroot / true',
    ]) {
      expect(await inShell(fixture, `${line} 2>/dev/null && echo done`), line).toMatchObject({ stdout: '' });
    }
  });

  it('makes no set-user or set-group program [FT08]', async () => {
    const line =
      'rm -f p; cp /bin/true p; chmod u+s p; stat -c %a p; chmod 2755 p; stat -c %a p; install -m 4755 /bin/true q; stat -c %a q';
    await expectDifference(line, /^4755\n2755\n4755$/m, /^755\n755\n(?!4755)/m);
  });

  it('shows extra read-only paths, and only those', async () => {
    await writeFile(`${fixture.outside}/shown`, 'shown');
    const readOnly = { readOnly: [`${fixture.outside}/shown`] };
    const run = await inShell(
      fixture,
      `cat ${fixture.outside}/shown; ls ${fixture.outside}; echo x > ${fixture.outside}/shown`,
      readOnly,
    );
    expect(run.stdout).toBe('shownshown\n');
    expect(readFileSync(`${fixture.outside}/shown`, 'utf8')).toBe('shown');
  });

  it('keeps protected paths as they are, also by way of their parents', async () => {
    await mkdir(`${fixture.work}/.git/hooks`, { recursive: true });
    await writeFile(`${fixture.work}/.git/config`, 'original');
    await writeFile(`${fixture.work}/.git/hooks/sample`, 'original');
    const protect = ['.git/hooks', '.git/config'].map((name) => `${fixture.work}/${name}`);
    const attacks = [
      'echo x > .git/config',
      'echo x > .git/hooks/post-checkout',
      'rm .git/config',
      'rm -rf .git/hooks',
      'mv .git/hooks .git/old',
      'mv .git .old',
      'echo x > new && mv new .git/config',
      'ln .git/config hard && echo x > hard',
      'ln -sf /dev/null .git/config',
      'chmod 777 .git/hooks',
      'umount .git/hooks',
      'mount --bind /tmp .git/hooks',
      "python3 -c \"import os; os.rename('.git', '.old')\"",
    ];
    for (const attack of attacks) {
      const run = await inShell(fixture, `${attack} 2>/dev/null; echo free > .git/free`, { protect });
      expect(run.code, attack).toBe(0);
      expect(readFileSync(`${fixture.work}/.git/config`, 'utf8'), attack).toBe('original');
      expect(readFileSync(`${fixture.work}/.git/hooks/sample`, 'utf8'), attack).toBe('original');
      expect(existsSync(`${fixture.work}/.git/hooks/post-checkout`), attack).toBe(false);
      expect(statSync(`${fixture.work}/.git/hooks`).mode & 0o777, attack).not.toBe(0o777);
      expect(readFileSync(`${fixture.work}/.git/free`, 'utf8'), attack).toBe('free\n');
    }
    await rm(`${fixture.work}/.git`, { recursive: true });
  });

  it('refuses to run if a protected path is missing or a link that a command may have planted', async () => {
    await mkdir(`${fixture.work}/harmless/sub`, { recursive: true });
    await symlink(fixture.outside, `${fixture.work}/outward`);
    await symlink('harmless', `${fixture.work}/inward`);
    for (const name of ['outward', 'outward/secret', 'inward', 'inward/sub', 'missing']) {
      const run = await inShell(fixture, 'echo ran > ran', { protect: [`${fixture.work}/${name}`] });
      expect(run.code, name).toBe(125);
      expect(run.stderr, name).toMatch(/^bulkhead-launcher: protect .*: errno \d+\n$/);
    }
    expect(existsSync(`${fixture.work}/ran`)).toBe(false);
    for (const name of ['outward', 'inward', 'harmless'])
      await rm(`${fixture.work}/${name}`, { recursive: true });
  });

  it('hides files and folders, also behind links, and skips missing ones', async () => {
    await mkdir(`${fixture.work}/private`);
    await writeFile(`${fixture.work}/private/key`, 'canary');
    await writeFile(`${fixture.work}/.env`, 'canary');
    await writeFile(`${fixture.work}/real`, 'canary');
    await symlink('real', `${fixture.work}/link`);
    const hide = ['private', '.env', 'link', 'missing'].map((name) => `${fixture.work}/${name}`);
    const line =
      'ls private; cat .env link real; cat private/key 2>/dev/null; mv .env shown; cp .env copy; cat shown copy; echo end';
    expect((await inShell(fixture, line)).stdout).toContain('canary');
    await writeFile(`${fixture.work}/.env`, 'canary');
    await rm(`${fixture.work}/shown`, { force: true });
    const run = await inShell(fixture, line, { hide });
    expect(run.stdout).toBe('end\n');
    expect(readFileSync(`${fixture.work}/.env`, 'utf8')).toBe('canary');
    expect(existsSync(`${fixture.work}/missing`)).toBe(false);
  });

  it('holds limits of open files and file size', async () => {
    const small = { limits: { ...limits, maxFileBytes: 4096, maxOpenFiles: 32 } };
    expect((await inShell(fixture, 'ulimit -n; ulimit -Hn; ulimit -c', small)).stdout).toBe('32\n32\n0\n');
    const flood = await inShell(fixture, 'head -c 8192 /dev/zero > flood; stat -c %s flood', small);
    expect(flood.stdout).toBe('4096\n');
  });

  it('shows a working folder inside the home it covers', async () => {
    const run = await inShell(fixture, `ls -A ${fixture.folder}; cat ${fixture.work}/made`, {
      home: fixture.folder,
    });
    expect(run.stdout, run.stderr).toBe('work\ntext\n');
  });
});
