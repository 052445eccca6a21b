import { mkdtempSync } from 'node:fs';
import { Duplex } from 'node:stream';
import { expect } from 'vitest';
import { ShellTransaction } from '../transaction/shell-transaction.ts';
import { eventually, finished } from './box-fixture.ts';
import type { useSession } from './use-session.ts';

export const QUIET_WAIT_MS = 60_000;

type SessionFixture = ReturnType<typeof useSession>;

/** A background command that does each line that it is sent. */
export async function beginQuiet(at: SessionFixture) {
  const scratch = mkdtempSync(`${at.fixture.folder}/quiet-scratch-`);
  const box = at.fixture.shellBox({ session: at.session, leave: true, background: true, overlay: scratch });
  const child = at.fixture.sandbox.launch(box, {
    file: '/bin/bash',
    args: ['-c', 'while read -r line; do eval "$line"; echo "did $line"; done'],
    cwd: at.fixture.work,
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const control = child.stdio[3];
  if (!(control instanceof Duplex)) throw new Error('no control channel');
  const transaction = new ShellTransaction(control);
  const { later } = transaction;
  const end = finished(child);
  let said = '';
  child.stdout?.on('data', (text: string) => {
    said += text;
  });
  await transaction.effects;
  await transaction.settle(false);
  let moments = 0;
  later.onQuiet(() => {
    moments += 1;
  });
  let taken = 0;
  /** Waits for a quiet moment that no one has waited for. */
  const quiet = async () => {
    expect(await eventually(() => moments > taken, QUIET_WAIT_MS)).toBe(true);
    taken = moments;
  };
  const namesOf = (paths: readonly { readonly path: Uint8Array }[]) =>
    paths.map((one) => `${Buffer.from(one.path)}`).sort();
  return {
    ...{ child, scratch, end, later, close: () => transaction.close() },
    moments: () => moments,
    async does(text: string) {
      const before = said.length;
      child.stdin?.write(`${text}\n`);
      const done = `did ${text}\n`;
      expect(await eventually(() => said.slice(before).includes(done), QUIET_WAIT_MS)).toBe(true);
      return said.slice(before).replace(done, '');
    },
    quiet,
    /** Waits for the next quiet moment, and settles what is listed then. */
    async settlesQuietly(commit = true, between: () => void = () => {}) {
      await quiet();
      const listed = await later.listQuiet();
      if (listed === undefined) return undefined;
      between();
      const { type } = await later.settleQuiet(commit);
      return {
        type,
        changes: listed.changes.map((one) => `${one.what} ${Buffer.from(one.path)}`).sort(),
        notes: namesOf(listed.notes),
      };
    },
    /** Ends its input, and settles. */
    async settle() {
      child.stdin?.end();
      await later.ended;
      const listed = await later.list();
      const { type } = await later.settle(true);
      transaction.close();
      await end;
      return {
        type,
        changes: listed.changes.map((one) => `${one.what} ${Buffer.from(one.path)}`).sort(),
        notes: namesOf(listed.notes),
      };
    },
  };
}
