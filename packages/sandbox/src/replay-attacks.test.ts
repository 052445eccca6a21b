import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { beginReplayed, REPLAY_WAIT_MS as WAIT_MS } from './testing/replayed-command.ts';
import { useSession } from './testing/use-session.ts';

const at = useSession();
const { path, read, write } = at;

/** For each process of the box that helps a command: its number in `$p`. */
const eachHelper = (line: string) =>
  `for d in /proc/[0-9]*; do p=\${d#/proc/}; if [ $p != 1 ] && [ "$(cat $d/comm)" = launcher ]; then ${line}; fi; done`;

describe('a background command that attacks what replays changes to it', { timeout: WAIT_MS }, () => {
  it('gets nothing through a link that stands for the parent of what is replayed [B2] [FT04]', async () => {
    mkdirSync(path('a/deep'), { recursive: true });
    mkdirSync(path('protected'));
    for (const name of ['a/deep/f', 'protected/f', '.env']) write(name, 'before');
    const one = await beginReplayed(at.fixture, at.session, {
      protect: [path('protected')],
      deny: [path('.env')],
    });
    await one.does('cat a/deep/f; mv a b; ln -s protected a; mkdir protected/deep; ln -s ../.env b/deep/g');
    for (const name of ['a/deep/f', 'a/deep/g', 'a/f']) write(name, 'after');
    writeFileSync(path('.env'), 'after');
    renameSync(path('.env'), path('.env.old'));
    write('.env', 'newer');
    expect(await one.sees('cat a/f b/deep/f; ls protected; cat .env 2>&1')).toMatch(
      /^beforebeforef\ncat: \.env: Permission denied\n$/,
    );
    expect([read('protected/f'), read('.env')]).toEqual(['before', 'newer']);
    await one.settle();
  });

  it('has nothing of a hidden place handed to the process that it could mislead [B2] [FT01]', async () => {
    for (const name of ['secret', 'closed']) mkdirSync(path(name));
    for (const name of ['secret/key', 'closed/key', 'file']) write(name, 'before');
    const one = await beginReplayed(at.fixture, at.session, {
      hide: [path('secret')],
      deny: [path('closed')],
    });
    await one.does(`cat file; ${eachHelper('kill -KILL $p')}`);
    for (const name of ['secret/key', 'closed/key', 'secret/new']) write(name, 'after');
    // A change that is sent is noticed to get no answer.
    await one.shown();
    expect(one.unseen()).toEqual([]);
    write('file', 'after');
    await one.shown();
    expect(one.unseen()).toEqual(['not-replayed ']);
    await one.settle();
  });

  it('holds no one up by stopping it: that is said, and its changes are settled [B2] [FT04]', async () => {
    write('file', 'before');
    const one = await beginReplayed(at.fixture, at.session);
    await one.does(`cat file; echo its > its; ${eachHelper('kill -STOP $p')}`);
    write('file', 'after');
    expect(await one.sees('cat file')).toMatch(/^(before|after)$/);
    expect(one.unseen()).toEqual(['not-replayed ']);
    write('file', 'later');
    await one.shown();
    expect(await one.settle()).toEqual({
      answer: 'committed',
      problems: [],
      changes: ['created its'],
      leftOut: [],
    });
    expect([read('file'), read('its')]).toEqual(['later', 'its\n']);
  });

  it('gets a line for each change that it keeps from itself by limits on it [B2] [FT04]', async () => {
    for (const name of ['file', 'other']) write(name, 'before');
    const one = await beginReplayed(at.fixture, at.session);
    await one.does(`cat file; ${eachHelper('prlimit --pid $p --fsize=0 --nofile=1')}`);
    write('file', 'after');
    await one.shown();
    expect(one.unseen()).toEqual([expect.stringMatching(/^errno-\d+ file$/)]);
    write('other', 'after');
    await one.shown();
    expect(one.unseen()).toEqual(['file', 'other'].map((name) => expect.stringMatching(` ${name}$`)));
    await one.settle();
    expect([read('file'), read('other')]).toEqual(['after', 'after']);
  });

  it('gets no right of theirs: they can be signalled, and no more [B2] [FT04]', async () => {
    mkdirSync(path('old'));
    const one = await beginReplayed(at.fixture, at.session);
    await one.does(`ls old; ${eachHelper('for s in TERM INT HUP USR1 SEGV; do kill -$s $p; done')}`);
    rmSync(path('old'), { recursive: true });
    mkdirSync(path('old'));
    write('old/in', 'after');
    expect(await one.sees('cat old/in')).toBe('after');
    expect(one.unseen()).toEqual([]);
    const tries = eachHelper(
      'grep -q . $d/maps $d/environ $d/auxv; ls $d/root/ $d/cwd/ $d/fd/0/ $d/fd/1/; nsenter -m -U -t $p true; readlink $d/ns/mnt',
    );
    expect(await one.does(`{ ${tries}; } 2>/dev/null`)).toBe('');
    await one.settle();
  });

  it('sees that more changed at once than can be followed [B2]', async () => {
    for (const name of ['a', 'b']) write(name, 'before');
    const one = await beginReplayed(at.fixture, at.session);
    process.kill(one.pid, 'SIGSTOP');
    // Two in turn: the kernel tells equal ones that follow one another once.
    for (let at = 0; at < 10_000; at += 1) for (const name of ['a', 'b']) write(name, `${at}`);
    process.kill(one.pid, 'SIGCONT');
    await one.shown();
    expect(one.unseen()).toEqual(['too-many ']);
    expect(await one.sees('cat a')).toBe('9999');
    await one.settle();
  });
});
