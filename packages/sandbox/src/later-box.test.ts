import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { Duplex } from 'node:stream';
import { sweepsAreWhole } from '@bulkhead/testkit/sweep';
import { describe, expect, it } from 'vitest';
import { eventually, finished } from './testing/box-fixture.ts';
import { folderState } from './testing/folder-state.ts';
import { hasStrace, killAtCall } from './testing/kill-at-call.ts';
import { useSession } from './testing/use-session.ts';
import { readCommitMark } from './transaction/commit-mark.ts';
import { ShellTransaction } from './transaction/shell-transaction.ts';

const WAIT_MS = 60_000;

const at = useSession();
const { path, read, write } = at;
let scratches = 0;

/** System calls from one kill to the next. */
const STRIDE = sweepsAreWhole ? 1 : 11;

/** A command that goes on, up to its first settlement. It does each line that it is sent. */
async function begin({ line = '', background = true }: { line?: string; background?: boolean } = {}) {
  const scratch = `${at.fixture.folder}/later-scratch-${scratches++}`;
  mkdirSync(scratch, { mode: 0o700 });
  const obey = 'while read -r line; do eval "$line"; echo "did $line"; done';
  const box = at.fixture.shellBox({ session: at.session, leave: true, background, overlay: scratch });
  const child = at.fixture.sandbox.launch(box, {
    file: '/bin/bash',
    // The input of what is left in the background is no terminal's.
    args: ['-c', background ? `${line}\n${obey}` : `${line}\n{ ${obey}; } <&0 & sleep 0.3`],
    cwd: at.fixture.work,
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const control = child.stdio[3];
  if (!(control instanceof Duplex)) throw new Error('no control channel');
  const transaction = new ShellTransaction(control);
  const end = finished(child);
  let said = '';
  child.stdout?.on('data', (text: string) => {
    said += text;
  });
  const effects = await transaction.effects;
  expect(transaction.left).toBe(true);
  await transaction.settle(true);
  return {
    ...{ child, scratch, end, effects, later: transaction.later, close: () => transaction.close() },
    /** Has it do something, and waits until it has. */
    async does(text: string) {
      child.stdin?.write(`${text}\n`);
      expect(await eventually(() => said.includes(`did ${text}\n`), WAIT_MS)).toBe(true);
    },
    /** Ends its input, and settles. */
    async settle() {
      child.stdin?.end();
      await transaction.later.ended;
      const listed = await transaction.later.list();
      const answer = await transaction.later.settle(true);
      transaction.close();
      await end;
      return {
        answer: answer.type,
        problems: listed.problems.map(({ code }) => code),
        changes: listed.changes.map((one) => `${one.what} ${Buffer.from(one.path)}`),
        leftOut: listed.notes.map((one) => `${one.code} ${Buffer.from(one.path)}`),
      };
    },
  };
}

describe('the changes of a background command', { timeout: WAIT_MS }, () => {
  it('changes nothing before its end, and is then one transaction [B2]', async () => {
    write('old', 'old');
    const one = await begin();
    expect(one.effects).toMatchObject({ status: 0, changes: [] });
    await one.does('echo new > old; mkdir out; echo made > out/made');
    expect(readdirSync(at.fixture.work)).toEqual(['old']);
    expect(read('old')).toBe('old');
    expect(await one.settle()).toEqual({
      answer: 'committed',
      problems: [],
      changes: expect.arrayContaining(['changed old', 'created out', 'created out/made']),
      leftOut: [],
    });
    expect([read('old'), read('out/made')]).toEqual(['new\n', 'made\n']);
    expect(readdirSync(one.scratch)).toEqual(['held']);
    expect(readdirSync(`${one.scratch}/held`)).toEqual(['journal']);
    expect(readCommitMark(`${one.scratch}/held`)).toBe('committed');
  });

  it('is dropped with the channel, and leaves nothing behind [B2]', async () => {
    const one = await begin();
    await one.does('echo made > made');
    one.close();
    await one.end;
    expect(readdirSync(at.fixture.work)).toEqual([]);
    expect(readdirSync(one.scratch)).toEqual([]);
  });

  it('leaves out what others changed, made, deleted or put in its place meanwhile, and keeps the rest [B2]', async () => {
    for (const name of ['edited', 'gone', 'replaced', 'mine']) write(name, 'before');
    for (const name of ['tree', 'moved', 'busy']) mkdirSync(path(name));
    for (const name of ['tree/a', 'tree/b', 'moved/a', 'busy/a']) write(name, 'before');
    const one = await begin();
    await one.does('for f in edited gone replaced mine made moved/a busy/a busy/b; do echo its > $f; done');
    await one.does('rm -r tree');
    write('edited', 'by the person');
    rmSync(path('gone'));
    write('new', 'by the person');
    renameSync(path('new'), path('replaced'));
    write('made', 'by the person');
    write('tree/b', 'by the person');
    renameSync(path('moved'), path('elsewhere'));
    mkdirSync(path('moved'));
    write('busy/theirs', 'by the person');
    const settled = await one.settle();
    expect(settled.leftOut.sort()).toEqual(
      ['edited', 'gone', 'made', 'moved', 'replaced', 'tree'].map((name) => `left-out ${name}`),
    );
    expect(settled).toMatchObject({ answer: 'committed', problems: [] });
    expect(settled.changes.sort()).toEqual(['changed busy/a', 'changed mine', 'created busy/b']);
    for (const name of ['edited', 'replaced', 'made', 'tree/b']) expect(read(name)).toBe('by the person');
    for (const name of ['mine', 'busy/a', 'busy/b']) expect(read(name)).toBe('its\n');
    expect(readdirSync(path('moved'))).toEqual([]);
    expect(read('tree/a')).toBe('before');
  });

  it('is listed again as often as asked: what changes between list and commit is left out, too [B2]', async () => {
    for (const name of ['a', 'b']) write(name, 'before');
    const one = await begin();
    await one.does('echo its > a; echo its > b');
    one.child.stdin?.end();
    await one.later.ended;
    expect((await one.later.list()).changes).toHaveLength(2);
    write('a', 'by the person');
    expect((await one.later.list()).changes).toHaveLength(1);
    expect(await one.later.settle(true)).toEqual({ type: 'committed' });
    await one.end;
    expect([read('a'), read('b')]).toEqual(['by the person', 'its\n']);
  });

  it('is asked to end, and what it writes then is kept; what ignores that is killed [B2]', async () => {
    const line = `trap 'echo bye > bye; exit 3' TERM; (trap '' TERM; exec sleep 1000) &`;
    const one = await begin({ line });
    await one.does('echo up > up');
    one.later.stop();
    await one.later.ended;
    const { status, changes } = await one.later.list();
    expect(changes.map((change) => Buffer.from(change.path).toString()).sort()).toEqual(['bye', 'up']);
    expect(status).toBe(3);
    await one.later.settle(true);
    await one.end;
    expect(read('bye')).toBe('bye\n');
  });

  it('ends with its exit status if no one stops it [B2]', async () => {
    const one = await begin({ line: 'exec bash -c "exit 7"' });
    await one.later.ended;
    expect((await one.later.list()).status).toBe(7);
    one.close();
    await one.end;
  });

  it('starts nothing if its box cannot be made', async () => {
    const scratch = `${at.fixture.folder}/later-scratch-${scratches++}`;
    mkdirSync(`${scratch}/upper`, { recursive: true });
    const box = at.fixture.shellBox({ session: at.session, leave: true, background: true, overlay: scratch });
    const child = at.fixture.sandbox.launch(box, {
      file: '/bin/bash',
      args: ['-c', 'echo ran'],
      cwd: at.fixture.work,
      env: {},
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    });
    expect(await finished(child)).toMatchObject({ code: 125, stdout: '' });
  });

  it.each(['before the list', 'after it'])('is as it was if the launcher is killed %s [B2]', async (when) => {
    write('old', 'old');
    const one = await begin();
    await one.does('echo new > old; echo made > made');
    if (when === 'after it') {
      one.child.stdin?.end();
      await one.later.ended;
      await one.later.list();
    }
    one.child.kill('SIGKILL');
    await one.end;
    await expect(one.later.settle(true)).rejects.toMatchObject({ code: 'sandbox_unavailable' });
    expect(readCommitMark(`${one.scratch}/held`)).toBe('none');
    expect(readdirSync(at.fixture.work)).toEqual(['old']);
    expect(read('old')).toBe('old');
  });
});

/** Kills the launcher at its system call number `count` after the order to keep. @returns what recovery says */
async function killedAt(count: number): Promise<'committed' | 'dropped'> {
  rmSync(at.fixture.work, { recursive: true });
  mkdirSync(path('gone/deep'), { recursive: true });
  for (const name of ['old', 'gone/deep/x']) write(name, 'before');
  const before = folderState(at.fixture.work);
  const one = await begin();
  await one.does('echo its >> old; rm -r gone; mkdir -p new/deep; echo its > new/deep/x');
  one.child.stdin?.end();
  await one.later.ended;
  expect((await one.later.list()).changes.length).toBeGreaterThan(4);
  const tracer = await killAtCall(one.child.pid ?? 0, count);
  const answer = await one.later.settle(true).catch(() => undefined);
  one.close();
  await one.end;
  await tracer.end;
  const said = await at.fixture.sandbox.recover({ work: at.fixture.work, scratch: `${one.scratch}/held` });
  if (answer !== undefined) expect(said).toBe(answer.type);
  if (said === 'committed') expect([read('old'), read('new/deep/x')]).toEqual(['beforeits\n', 'its\n']);
  else expect(folderState(at.fixture.work), `killed at ${count}`).toBe(before);
  return said;
}

describe.skipIf(!hasStrace)('a launcher that is killed while it keeps what was written', () => {
  it('at any step leaves the folder as before or as after, once recovered, and says which [B2] [FT78]', {
    timeout: 10 * WAIT_MS,
  }, async () => {
    const seen = [await killedAt(1)];
    // The last kill comes after the end.
    while (!seen.includes('committed')) seen.push(await killedAt(1 + seen.length * STRIDE));
    expect(seen.filter((said) => said === 'dropped').length).toBeGreaterThan(1);
  });
});

describe('the later changes of processes that a command left', { timeout: WAIT_MS }, () => {
  it('may be of files that the command itself made, and no one else changed since [B2]', async () => {
    const line = 'echo first > log; mkdir out; echo a > out/a; echo b > out/b; echo c > theirs';
    const one = await begin({ line, background: false });
    expect(read('out/a')).toBe('a\n');
    await one.does('echo second >> log; rm out/a; echo b2 > out/b; echo d > out/d; echo its > theirs');
    write('theirs', 'by the person');
    write('out/mine', 'by the person');
    const settled = await one.settle();
    expect(settled.leftOut).toEqual(['left-out theirs']);
    expect(settled).toMatchObject({ answer: 'committed', problems: [] });
    expect(read('log')).toBe('first\nsecond\n');
    expect(readdirSync(path('out')).sort()).toEqual(['b', 'd', 'mine']);
    expect([read('out/b'), read('theirs')]).toEqual(['b2\n', 'by the person']);
  });
});
