import { mkdtempSync } from 'node:fs';
import { Duplex } from 'node:stream';
import type { CommandProblem } from '@bulkhead/protocol';
import { expect } from 'vitest';
import type { SessionSpaces, ShellBox } from '../box.ts';
import { ShellTransaction } from '../transaction/shell-transaction.ts';
import { type BoxFixture, eventually, finished } from './box-fixture.ts';

export const REPLAY_WAIT_MS = 60_000;

/** A background command that does each line it is sent, into whose view changes are replayed. */
export async function beginReplayed(
  fixture: BoxFixture,
  session: SessionSpaces,
  more: Partial<ShellBox> = {},
) {
  const obey = 'while read -r line; do eval "$line"; echo "did $line"; done';
  // The outcome of a commit arrives before a large file could be read.
  const leaves = `echo made > made; head -c 20000000 /dev/zero > large; { ${obey}; } <&0 & sleep 0.3`;
  const scratch = mkdtempSync(`${fixture.folder}/replay-scratch-`);
  const box = fixture.shellBox({ session, leave: true, background: true, overlay: scratch, ...more });
  const child = fixture.sandbox.launch(box, {
    file: '/bin/bash',
    args: ['-c', more.background === false ? leaves : obey],
    cwd: fixture.work,
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
  await transaction.effects;
  await transaction.settle(more.background === false);
  const unseen: CommandProblem[] = [];
  transaction.later.onUnseen((problem) => unseen.push(problem));
  const does = async (text: string) => {
    const before = said.length;
    child.stdin?.write(`${text}\n`);
    const done = `did ${text}\n`;
    expect(await eventually(() => said.slice(before).includes(done), REPLAY_WAIT_MS)).toBe(true);
    return said.slice(before).replace(done, '');
  };
  return {
    pid: child.pid ?? 0,
    does,
    /** Resolves once all changes are shown to it. */
    shown: () => transaction.later.show(),
    /** Its findings once all changes are shown to it. */
    async sees(text: string) {
      await transaction.later.show();
      return await does(text);
    },
    unseen: () => unseen.map((one) => `${one.code} ${Buffer.from(one.path)}`),
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
        changes: listed.changes.map((one) => `${one.what} ${Buffer.from(one.path)}`).sort(),
        leftOut: listed.notes.map((one) => `${one.code} ${Buffer.from(one.path)}`).sort(),
      };
    },
  };
}
