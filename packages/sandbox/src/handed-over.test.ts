import { mkdirSync, readdirSync } from 'node:fs';
import { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { eventually, finished } from './testing/box-fixture.ts';
import { useSession } from './testing/use-session.ts';
import { ShellTransaction } from './transaction/shell-transaction.ts';

const WAIT_MS = 60_000;

const at = useSession();
const { read, write } = at;
let scratches = 0;

/** A command that is no background command. With `obeys` it does each line that it is sent. */
function begin({ line = '', obeys = true, leave = true } = {}) {
  const scratch = `${at.fixture.folder}/handed-scratch-${scratches++}`;
  mkdirSync(scratch, { mode: 0o700 });
  const box = at.fixture.shellBox({ session: at.session, leave, overlay: scratch });
  const obey = 'while read -r line; do eval "$line"; echo "did $line"; done; exit 7';
  const child = at.fixture.sandbox.launch(box, {
    file: '/bin/bash',
    args: ['-c', obeys ? `${line}\n${obey}` : line],
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
  return {
    ...{ child, scratch, transaction, end, later: transaction.later },
    async does(text: string) {
      const before = said.length;
      child.stdin?.write(`${text}\n`);
      const done = `did ${text}\n`;
      expect(await eventually(() => said.slice(before).includes(done), WAIT_MS)).toBe(true);
      return said.slice(before).replace(done, '');
    },
    /** The end of what goes on, and its changes, which are kept. */
    async settle() {
      child.stdin?.end();
      await transaction.later.ended;
      const { status, changes, problems } = await transaction.later.list();
      const { type } = await transaction.later.settle(true);
      transaction.close();
      await end;
      return {
        status,
        type,
        problems,
        changes: changes.map((one) => `${one.what} ${Buffer.from(one.path)}`).sort(),
      };
    },
  };
}

describe('a command that is handed over while it runs', { timeout: WAIT_MS }, () => {
  it('goes on without a change of the folder, and all it writes is one transaction at its end [B2]', async () => {
    write('old', 'old');
    const one = begin();
    await one.does('echo early > early; echo new > old');
    one.transaction.leave();
    expect(await one.transaction.ended).toBe(0);
    expect([one.transaction.left, one.transaction.goesOn]).toEqual([true, true]);
    expect(await one.transaction.effects).toMatchObject({ changes: [], problems: [], notes: [] });
    expect(await one.transaction.settle(false)).toEqual({ type: 'dropped' });
    expect(readdirSync(at.fixture.work)).toEqual(['old']);
    expect(await one.does('cat early old; echo late > late')).toBe('early\nnew\n');
    expect(await one.settle()).toEqual({
      status: 7,
      type: 'committed',
      problems: [],
      changes: ['changed old', 'created early', 'created late'],
    });
    expect([read('old'), read('early'), read('late')]).toEqual(['new\n', 'early\n', 'late\n']);
    expect(readdirSync(one.scratch)).toEqual(['held']);
  });

  it('sees later changes of the folder, and renames existing folders as before [B2]', async () => {
    mkdirSync(at.path('tree'));
    write('tree/a', 'before');
    const one = begin();
    await one.does('cat tree/a');
    one.transaction.leave();
    await one.transaction.effects;
    await one.transaction.settle(false);
    write('tree/a', 'after');
    await one.later.show();
    expect(await one.does('cat tree/a')).toBe('after');
    await one.does('mv tree moved');
    expect(await one.settle()).toMatchObject({ type: 'committed', status: 7 });
    expect(readdirSync(at.fixture.work)).toEqual(['moved']);
    expect(read('moved/a')).toBe('after');
  });

  it('ends with the channel, and is asked to end as one in the background [B2]', async () => {
    const one = begin({ line: "trap 'echo bye > bye; exit 3' TERM" });
    await one.does('true');
    one.transaction.leave();
    await one.transaction.effects;
    await one.transaction.settle(false);
    one.later.stop();
    await one.later.ended;
    const { status, changes } = await one.later.list();
    expect([status, changes.map(({ path }) => `${Buffer.from(path)}`)]).toEqual([3, ['bye']]);
    one.transaction.close();
    await one.end;
    expect(readdirSync(at.fixture.work)).toEqual([]);
    expect(readdirSync(one.scratch)).toEqual([]);
  });

  it('is stopped by a word that comes with that [B2]', async () => {
    const one = begin();
    await one.does('echo made > made');
    one.transaction.leave();
    one.transaction.stop();
    await one.transaction.ended;
    await one.transaction.effects;
    await one.transaction.settle(false);
    one.transaction.close();
    await one.end;
    expect(readdirSync(at.fixture.work)).toEqual([]);
  });

  it('is stopped if it may not leave processes [B2]', async () => {
    const one = begin({ leave: false });
    await one.does('echo made > made');
    one.transaction.leave();
    expect(await one.transaction.ended).toBe(137);
    expect(one.transaction.goesOn).toBe(false);
    one.transaction.close();
    await one.end;
  });

  it.each([0, 1, 2, 4, 8, 16, 32, 64])(
    'has either ended or goes on, if it ends %i ms later [B2]',
    async (ms) => {
      const one = begin({ line: 'echo up; sleep 0.03; echo made > made; exit 5', obeys: false });
      await new Promise((resolve) => one.child.stdout?.once('data', resolve));
      await delay(ms);
      one.transaction.leave();
      const { status, changes } = await one.transaction.effects;
      if (one.transaction.goesOn) {
        await one.transaction.settle(false);
        expect(await one.settle()).toMatchObject({ status: 5, changes: ['created made'] });
      } else {
        expect([status, changes.length]).toEqual([5, 1]);
        expect(await one.transaction.settle(true)).toEqual({ type: 'committed' });
        one.transaction.close();
        await one.end;
      }
      expect(read('made')).toBe('made\n');
    },
  );

  it('hands over what it left if it ends in that moment [B2]', async () => {
    const one = begin({
      line: '(sleep 0.2; echo late > late; exec sleep 1000) & echo up; echo made > made',
      obeys: false,
    });
    await new Promise((resolve) => one.child.stdout?.once('data', resolve));
    one.transaction.leave();
    await one.transaction.effects;
    expect(one.transaction.left).toBe(true);
    await one.transaction.settle(!one.transaction.goesOn);
    one.later.stop();
    await one.settle();
    expect(read('made')).toBe('made\n');
  });
});
