import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { ShellTransaction } from './shell-transaction.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

interface Script {
  readonly send: readonly string[];
  readonly answers?: Readonly<Record<string, string>>;
  readonly hangUp?: boolean;
}

/** A real process at the other end of a real descriptor 3. */
function scripted(script: Script) {
  const path = `${import.meta.dirname}/../testing/fake-launcher.child.mjs`;
  const child = spawn(process.execPath, [path, JSON.stringify(script)], {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  children.push(child);
  const channel = child.stdio[3];
  if (!(channel instanceof Duplex)) throw new Error('no channel');
  return { child, transaction: new ShellTransaction(channel) };
}

const created = 'change created file missing 644 0 3 0 1 0:0 0:0 a\0';
const answers = { commit: 'committed\0', drop: 'dropped\0' };

describe('ShellTransaction [B2]', () => {
  it('tells the hidden files that the command opened, once it has ended', async () => {
    const send = ['opened .env\0opened apps/web/.env\0', 'ended 1\0effects 0\0'];
    const { transaction } = scripted({ send, answers });
    await transaction.ended;
    expect(transaction.opened).toEqual(['.env', 'apps/web/.env']);
  });

  it.each([
    ['after the end', 'ended 0\0opened .env\0effects 0\0'],
    ['more than can be watched', 'opened .env\0'.repeat(65)],
  ])('takes no opened file %s', async (_what, records) => {
    const { transaction } = scripted({ send: [records], answers });
    await expect(transaction.effects).rejects.toMatchObject({ code: 'protocol_violation' });
  });

  it('tells the end of the command, then its effects, then asks', async () => {
    const link = 'change replaced link file 777 644 4 3 1 0:0 0:0 b\0target /etc\0';
    const send = [
      'ended 3\0',
      created + link.slice(0, 30),
      link.slice(30),
      'problem open-elsewhere c d\0note special-file e\0effects 2\0',
    ];
    const { transaction } = scripted({ send, answers });
    expect(await transaction.ended).toBe(3);
    const { status, changes, problems, notes } = await transaction.effects;
    expect(status).toBe(3);
    expect(
      changes.map(({ what, path, target }) => [
        what,
        `${Buffer.from(path)}`,
        target && `${Buffer.from(target)}`,
      ]),
    ).toEqual([
      ['created', 'a', undefined],
      ['replaced', 'b', '/etc'],
    ]);
    expect(problems).toEqual([{ code: 'open-elsewhere', path: Uint8Array.from(Buffer.from('c d')) }]);
    expect(notes).toHaveLength(1);
    expect(await transaction.settle(true)).toEqual({ type: 'committed' });
  });

  it.each([
    [true, 'conflict changed-meanwhile a b\0', 'conflict'],
    [true, 'stuck edited-since a b\0', 'stuck'],
    [true, 'failed 28 a\0', 'failed'],
    [false, 'dropped\0', 'dropped'],
  ])('says how it ended (case %#)', async (commit, answer, type) => {
    const { transaction } = scripted({
      send: ['ended 0\0effects 0\0'],
      answers: { commit: answer, drop: answer },
    });
    await transaction.effects;
    expect(await transaction.settle(commit)).toMatchObject({ type });
  });

  it('is settled once, and not before it was asked', async () => {
    const { transaction } = scripted({ send: ['ended 0\0', created, 'effects 1\0'], answers });
    await expect(transaction.settle(true)).rejects.toMatchObject({ code: 'internal' });
    await transaction.effects;
    await transaction.settle(false);
    await expect(transaction.settle(true)).rejects.toMatchObject({ code: 'internal' });
  });

  it('ends the command on request; nothing of it can be kept then', async () => {
    const { transaction } = scripted({
      send: [],
      answers: { stop: 'stopped disk-full\0ended 137\0effects 0\0dropped\0' },
    });
    transaction.stop();
    expect(await transaction.ended).toBe(137);
    expect(await transaction.effects).toMatchObject({ stopped: 'disk-full' });
    await expect(transaction.settle(true)).rejects.toMatchObject({ code: 'internal' });
    expect(await transaction.settle(false)).toEqual({ type: 'dropped' });
  });

  it('keeps nothing when it is closed instead: the launcher sees the end', async () => {
    const { child, transaction } = scripted({ send: ['ended 0\0effects 0\0'], answers });
    await transaction.effects;
    transaction.close();
    const [said] = await once(child.stdout ?? child, 'data');
    expect(String(said)).toBe('the engine has gone\n');
  });

  it.each<[string, Script]>([
    ['ends before the command did', { send: [], hangUp: true }],
    ['lists before the end', { send: [created], answers }],
    ['stops after the end', { send: ['ended 0\0stopped disk-full\0'] }],
    ['ends twice', { send: ['ended 0\0ended 0\0'] }],
    ['counts wrongly', { send: ['ended 0\0', created, 'effects 2\0'] }],
    ['gives a target to no link', { send: ['ended 0\0', created, 'target x\0'] }],
    ['answers before it was asked', { send: ['ended 0\0committed\0'] }],
    ['speaks nonsense', { send: ['ended 0\0', '\0'] }],
    ['ends before its question', { send: ['ended 0\0', created], hangUp: true }],
  ])('never gives effects of a launcher that %s', async (_what, script) => {
    const { transaction } = scripted(script);
    await expect(transaction.effects).rejects.toMatchObject({
      code: expect.stringMatching(/protocol_violation|sandbox_unavailable/),
    });
    await expect(transaction.settle(true)).rejects.toMatchObject({ code: 'internal' });
  });

  it.each([
    ['', 'sandbox_unavailable'],
    ['dropp', 'sandbox_unavailable'],
    ['hm\0', 'protocol_violation'],
  ])('takes no answer from %j', async (answer, code) => {
    const { transaction } = scripted({ send: ['ended 0\0effects 0\0'], answers: { commit: answer } });
    await transaction.effects;
    await expect(transaction.settle(true)).rejects.toMatchObject({ code });
  });

  it('takes no answer to a question it did not put', async () => {
    const { transaction } = scripted({ send: ['ended 0\0effects 0\0committed\0'], answers });
    await transaction.effects;
    await expect(transaction.settle(true)).rejects.toMatchObject({
      code: expect.stringMatching(/internal|protocol_violation/),
    });
  });
});
