import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ShellBox } from './box.ts';
import { beginReplayed, REPLAY_WAIT_MS as WAIT_MS } from './testing/replayed-command.ts';
import { useSession } from './testing/use-session.ts';

const at = useSession();
const { path, read, write } = at;

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').map(Number).filter(Boolean);
}

const begin = (more: Partial<ShellBox> = {}) => beginReplayed(at.fixture, at.session, more);

const NOTHING = { answer: 'dropped', problems: [], changes: [], leftOut: [] };

describe('changes of the folder, for a background command', { timeout: WAIT_MS }, () => {
  it('are there for it, of every kind, and are none of its own [B2]', async () => {
    for (const name of ['edited', 'replaced', 'gone', 'turned', 'link']) write(name, 'before');
    for (const name of ['tree', 'moved', 'file']) mkdirSync(path(name));
    write('tree/a', 'before');
    write('moved/a', 'before');
    const one = await begin();
    const all =
      'for f in edited replaced gone turned link made tree/a moved/a new/deep/b file/c elsewhere/a; do cat $f; done';
    await one.does(`${all} 2>/dev/null`);
    appendFileSync(path('edited'), ' and after');
    write('fresh', 'after');
    renameSync(path('fresh'), path('replaced'));
    rmSync(path('gone'));
    rmSync(path('turned'));
    mkdirSync(path('turned'));
    write('turned/in', 'after');
    rmSync(path('link'));
    symlinkSync('edited', path('link'));
    write('made', 'after');
    rmSync(path('tree'), { recursive: true });
    mkdirSync(path('new/deep'), { recursive: true });
    write('new/deep/b', 'after');
    chmodSync(path('new'), 0o750);
    rmSync(path('file'), { recursive: true });
    write('file', 'after');
    renameSync(path('moved'), path('elsewhere'));
    const show =
      'find . -type f -o -type l | sort | while read -r f; do echo "$f=$(cat $f)"; done; stat -c %a new; find . -type d | sort';
    const seen = await one.sees(show);
    expect(one.unseen()).toEqual([]);
    expect(seen).toBe(
      [
        './edited=before and after',
        './elsewhere/a=before',
        './file=after',
        './link=before and after',
        './made=after',
        './new/deep/b=after',
        './replaced=after',
        './turned/in=after',
        '750',
        ...['.', './elsewhere', './new', './new/deep', './turned', ''],
      ].join('\n'),
    );
    expect(one.unseen()).toEqual([]);
    expect(await one.settle()).toEqual(NOTHING);
  });

  it('leave alone what it wrote, which is named at its end; what it does to a shown one is kept [B2]', async () => {
    for (const name of ['both', 'gone', 'shown', 'again']) write(name, 'before');
    mkdirSync(path('its'));
    write('its/in', 'before');
    const one = await begin();
    await one.does('echo its > both; rm gone; rm -r its; mkdir its; echo its > its/made; echo its > new');
    for (const name of ['both', 'gone', 'shown', 'again', 'its/in', 'new']) write(name, 'by another');
    expect(await one.sees('cat both new shown; ls its; ls gone 2>&1 || true')).toMatch(
      /^its\nits\nby anothermade\nls: /,
    );
    await one.does('echo and it >> shown');
    write('again', 'by another again');
    expect(await one.sees('cat again; rm again')).toBe('by another again');
    expect(await one.settle()).toEqual({
      answer: 'committed',
      problems: [],
      changes: ['changed shown', 'deleted again'],
      leftOut: ['both', 'gone', 'its', 'new'].map((name) => `left-out ${name}`),
    });
    expect(read('shown')).toBe('by anotherand it\n');
    for (const name of ['both', 'gone', 'its/in', 'new']) expect(read(name)).toBe('by another');
  });

  it('never leave its view by a link, and show nothing that is hidden from it [B2]', async () => {
    for (const name of ['a', 'b', 'secret']) mkdirSync(path(name));
    for (const name of ['a/f', 'b/f', '.env', 'secret/key']) write(name, 'before');
    const outside = mkdtempSync(`${at.fixture.folder}/outside-`);
    writeFileSync(`${outside}/f`, 'outside');
    const one = await begin({ readOnly: [outside], hide: [path('.env'), path('secret')] });
    await one.does(
      `cat a/f b/f .env; rm -r a; ln -s ${outside} a; ln -s ${outside}/f b/g; mkdir /tmp/t; ln -s /tmp/t c`,
    );
    for (const name of ['a/f', 'b/g', '.env', 'secret/key']) write(name, 'after');
    mkdirSync(path('c'));
    write('c/f', 'after');
    rmSync(path('.env'));
    write('.env', 'after');
    expect(await one.sees('cat a/f .env; ls secret /tmp/t')).toBe('outside/tmp/t:\n\nsecret:\n');
    rmSync(path('secret'), { recursive: true });
    expect(await one.sees('ls secret')).toBe('');
    expect(readFileSync(`${outside}/f`, 'utf8')).toBe('outside');
    expect(one.unseen()).toEqual([]);
    await one.settle();
  });

  it('are named where they can not be shown, and the rest is shown [B2]', async () => {
    write('big', 'before');
    write('small', 'before');
    const one = await begin();
    await one.does('cat big small');
    truncateSync(path('big'), 65 * 1024 * 1024);
    write('small', 'after');
    expect(await one.sees('cat small')).toBe('after');
    expect(one.unseen()).toEqual(['too-large big']);
    expect(await one.settle()).toEqual(NOTHING);
  });

  it('are shown no more once the process that shows them was ended, which is said [B2]', async () => {
    write('file', 'before');
    const one = await begin();
    await one.does('cat file; trap "" TERM; kill -9 -1');
    write('file', 'after');
    expect(await one.sees('cat file')).toMatch(/^(before|after)$/);
    expect(one.unseen()).toEqual(['not-replayed ']);
    write('file', 'later');
    await one.sees('true');
    expect(one.unseen()).toEqual(['not-replayed ']);
    expect(await one.settle()).toEqual(NOTHING);
  });

  it('come to watchers of files and folders, with many at once [B2]', async () => {
    for (const name of ['src', 'old']) mkdirSync(path(name));
    write('src/in', 'before');
    write('old/in', 'before');
    const one = await begin({ readOnly: [process.execPath] });
    const script = `const fs = require("fs"); for (const at of ["src", "src/in", "."]) fs.watch(at, (kind, name) => fs.appendFileSync("/tmp/log", at + " " + name + "\\n")); fs.writeFileSync("/tmp/up", "")`;
    await one.does(`${process.execPath} -e '${script}' & until [ -e /tmp/up ]; do sleep 0.05; done; ls old`);
    for (let at = 0; at < 2000; at += 1) write(`src/many${at}`, `${at}`);
    write('src/in', 'after');
    rmSync(path('old'), { recursive: true });
    const seen = await one.sees('sleep 0.2; sort -u /tmp/log; cat src/in; kill %1');
    for (const line of ['src in', 'src/in in', '. old', 'src many0', 'src many1999'])
      expect(seen).toContain(`${line}\n`);
    expect(seen.endsWith('after')).toBe(true);
    expect(one.unseen()).toEqual([]);
    expect(await one.settle()).toEqual(NOTHING);
  });

  it('count for what a command left that has kept its own changes before [B2]', async () => {
    const one = await begin({ background: false });
    for (const name of ['large', 'made']) write(name, 'by another ');
    expect(await one.sees('head -qc 11 large made; echo its > made')).toBe('by another by another ');
    expect(await one.settle()).toMatchObject({ changes: ['changed made'], leftOut: [] });
  });

  it('never count as taken away by it, in a folder that others made or that it made [B2]', async () => {
    const one = await begin();
    mkdirSync(path('theirs/empty/deeper'), { recursive: true });
    await one.sees('echo its > theirs/its');
    await one.does('mkdir own; echo its > own/its');
    mkdirSync(path('shown'));
    await one.sees('true');
    mkdirSync(path('shown/old'));
    // Too large to be shown: it has no view of it.
    write('shown/old/huge', '');
    truncateSync(path('shown/old/huge'), 70 * 2 ** 20);
    await one.sees('echo its > shown/its');
    const { changes, answer } = await one.settle();
    const its = ['created own', 'created own/its', 'created shown/its', 'created theirs/its'];
    expect({ changes, answer }).toEqual({ changes: its, answer: 'committed' });
    expect(existsSync(path('theirs/empty/deeper'))).toBe(true);
    expect(existsSync(path('shown/old/huge'))).toBe(true);
  });

  it('keep the open files of what a command left, whose own commit they are [B2]', async () => {
    const one = await begin({ background: false });
    await one.sees('exec 7>>large');
    utimesSync(path('large'), 1, 1);
    await one.sees('true');
    expect(await one.does('echo more >&7; tail -c 5 large')).toBe('more\n');
    expect(await one.settle()).toMatchObject({ answer: 'committed', changes: ['changed large'] });
    expect(read('large').endsWith('more\n')).toBe(true);
  });

  it('under one of several names count as seen under none [B2]', async () => {
    write('one', 'before');
    linkSync(path('one'), path('two'));
    const one = await begin();
    await one.does('echo its > two');
    appendFileSync(path('one'), ' and after');
    await one.sees('true');
    expect(await one.settle()).toMatchObject({ changes: [], leftOut: ['left-out two'] });
    expect(read('two')).toBe('before and after');
  });

  it('come by processes that keep little, and that no one in the box looks into [B2] [FT04]', async () => {
    const one = await begin();
    // Until the program has started its process is the launcher's.
    await one.does('true');
    const [init = 0] = childrenOf(one.pid);
    const isRoot = process.getuid?.() === 0;
    const helpers = childrenOf(init).flatMap((pid) => {
      const status = new Map(
        readFileSync(`/proc/${pid}/status`, 'utf8')
          .split('\n')
          .map((line) => line.split(/:\s+/) as [string, string]),
      );
      if (status.get('Name') === 'bash') return [];
      expect([status.get('Seccomp'), status.get('NoNewPrivs')]).toEqual(['2', '1']);
      expect(status.get('CapBnd')).toBe(status.get('CapEff'));
      return [status.get('CapEff')];
    });
    // Refreshing is administration of the view's mount; replaying, what the command may; renaming, sight besides.
    const none = '0000000000000000';
    expect(helpers).toEqual(
      isRoot
        ? ['0000000000200000', '00000000000800cb', '00000000000000cb']
        : ['0000000000200000', '0000000000080000', none],
    );
    const looks =
      'for d in /proc/[0-9]*; do { ls $d/root/ $d/cwd/ && echo in; for at in fd/0 fd/1 fd/2 mem maps; do head -c 1 $d/$at | od -An -tx1; readlink $d/$at; done; } >> /tmp/$(cat $d/comm) 2>/dev/null; done; cat /tmp/launcher && test -s /tmp/bash && echo control';
    expect(await one.does(looks)).toBe('control\n');
    await one.settle();
  });
});
