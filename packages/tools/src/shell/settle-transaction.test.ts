import {
  BulkheadError,
  type CommandEffects,
  type SettleCommand,
  type ToolHostCall,
  type ToolResult,
} from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { change, scriptedTransaction, type TransactionScript } from '../testing/scripted-transaction.ts';
import { TemporaryFolder } from '../testing/temporary-folder.ts';
import { testCall } from '../testing/test-call.ts';
import { createShellHost } from './create-shell-host.ts';

let folder: TemporaryFolder;
beforeEach(() => {
  folder = new TemporaryFolder();
});
afterEach(() => folder[Symbol.dispose]());

const yes: SettleCommand = async () => ({ commit: true });
const one: Partial<CommandEffects> = { changes: [change('made.txt')] };

function callOf(seconds = 60): ToolHostCall {
  return testCall('bash', { command: 'make', timeout_seconds: seconds }, { workingFolder: folder.path });
}

async function execute(
  script: TransactionScript,
  settle: SettleCommand | undefined = yes,
  options: { readonly signal?: AbortSignal; readonly seconds?: number } = {},
): Promise<{ readonly result: ToolResult; readonly told: readonly string[] }> {
  const { begin, told } = scriptedTransaction(script);
  const host = createShellHost({
    begin,
    outputs: `${folder.path}/outputs`,
    home: '/nowhere',
    transactions: true,
  });
  const signal = options.signal ?? new AbortController().signal;
  return { result: await host.execute(callOf(options.seconds), () => {}, signal, settle), told };
}

describe('the changes of a command [B2]', () => {
  it('are kept when they may be, and reported after its output', async () => {
    const { result, told } = await execute({ effects: one });
    expect(result).toEqual({
      text: 'out\n[files: 1 created]\n+ made.txt',
      isError: false,
      effects: { kept: true, created: 1, changed: 0, deleted: 0 },
    });
    expect(told).toEqual(['commit', 'disposed']);
  });

  it('are kept also when the command failed: it came to its end', async () => {
    const { result } = await execute({ effects: { ...one, status: 2 } });
    expect(result).toMatchObject({ isError: true, effects: { kept: true } });
    expect(result.text).toBe('out\n[exit code 2]\n[files: 1 created]\n+ made.txt');
  });

  it('are nothing to ask about when there are none', async () => {
    const { result, told } = await execute({}, () => expect.unreachable('nobody is asked'));
    expect(result).toMatchObject({ text: 'out\n', isError: false, effects: { kept: true, created: 0 } });
    expect(told).toEqual(['drop', 'disposed']);
  });

  it.each<[string, SettleCommand | undefined, string]>([
    ['refused', async () => ({ commit: false, reason: 'it touches .git/hooks' }), 'it touches .git/hooks'],
    ['not judged', async () => Promise.reject(new Error('judge broke')), 'could not be judged: judge broke'],
  ])('are dropped when they are %s', async (_what, settle, reason) => {
    const { result, told } = await execute({ effects: one }, settle);
    expect(result.isError).toBe(true);
    expect(result.text).toContain(`[nothing it changed was kept: `);
    expect(result.text).toContain(reason);
    expect(result.effects).toMatchObject({ kept: false, created: 1 });
    expect(told).toEqual(['drop', 'disposed']);
  });

  it('are dropped when no one can decide', async () => {
    const { begin, told } = scriptedTransaction({ effects: one });
    const host = createShellHost({
      begin,
      outputs: `${folder.path}/outputs`,
      home: '/nowhere',
      transactions: true,
    });
    const result = await host.execute(callOf(), () => {}, new AbortController().signal);
    expect(result).toMatchObject({ isError: true, effects: { kept: false } });
    expect(told).toEqual(['drop', 'disposed']);
  });

  it('are dropped when the run is cancelled while somebody decides', async () => {
    const controller = new AbortController();
    const settle: SettleCommand = async () => {
      controller.abort();
      return { commit: true };
    };
    const { result, told } = await execute({ effects: one }, settle, { signal: controller.signal });
    expect(result.text).toContain('it was cancelled');
    expect(told).toEqual(['drop', 'disposed']);
  });

  it('are dropped unseen when the time limit ends the command [FT78]', async () => {
    const { result, told } = await execute({ line: 'echo out; exec sleep 600', effects: one }, yes, {
      seconds: 1,
    });
    expect(result.text).toContain(
      'out\n[stopped: the time limit of 1 s is over]\n[nothing it changed was kept]\n[it could not go on',
    );
    expect(result.effects).toMatchObject({ kept: false });
    expect(told).toEqual(['stop', 'drop', 'disposed']);
  });

  it('are dropped unseen when its launcher dies [A4]', async () => {
    const { result, told } = await execute({ dies: true, effects: one });
    expect(result).toMatchObject({ isError: true });
    expect(result.text).toContain('[nothing it changed was kept: it did not come to its end]');
    expect(told).toEqual(['disposed']);
  });

  it.each([
    ['changed-meanwhile', 'another program changed data.db while the command ran'],
    ['gone-meanwhile', 'another program removed data.db'],
    ['errno-28', 'data.db: no space left on device'],
    ['hm', 'data.db can not be kept (hm)'],
  ])('are not kept over a conflict, said in one line: %s', async (code, line) => {
    const path = Buffer.from('data.db');
    const { result } = await execute({ effects: one, answer: { type: 'conflict', problem: { code, path } } });
    expect(result).toMatchObject({ isError: true, effects: { kept: false } });
    expect(result.text.split('\n').at(-1)).toContain(line);
  });

  it.each(['open-elsewhere', 'nested-mount', 'special-file', 'too-deep', 'too-many', 'not-yours'])(
    'can not be kept where an overlay has no way, with the way out in one line: %s',
    async (code) => {
      const problems = [
        { code, path: Buffer.from('a\nb') },
        { code, path: Buffer.from('c') },
      ];
      const asked = () => expect.unreachable('nobody is asked');
      const { result, told } = await execute({ effects: { ...one, problems } }, asked);
      const line = result.text.split('\n').at(-1) ?? '';
      expect(line).toMatch(/^\[nothing it changed was kept: .*; .* \(and 1 more\)\]$/);
      expect(code === 'too-many' || line.includes('a\\x0ab')).toBe(true);
      expect(told).toEqual(['drop', 'disposed']);
    },
  );

  it.each<[string, TransactionScript, boolean]>([
    ['kept it', { recovered: 'committed' }, true],
    ['undid it', { recovered: 'dropped' }, false],
  ])('are found out about when the launcher died over them: it %s [FT78]', async (_what, script, kept) => {
    const { result, told } = await execute({ effects: one, answer: new Error('died'), ...script });
    expect(result).toMatchObject({ isError: !kept, effects: { kept } });
    expect(told).toEqual(['commit', 'recover', 'disposed']);
  });

  it('are found out about when a step of keeping them failed', async () => {
    const answer = { type: 'failed', errno: 28, path: Buffer.from('big') } as const;
    const { result } = await execute({ effects: one, answer });
    expect(result.text).toContain('keeping it failed and was undone: big: no space left on device');
  });

  it.each(['stuck', 'conflict'] as const)(
    'are never called undone when undoing them stopped half way, until recovery says so: %s [FG4]',
    async (type) => {
      const answer = { type, problem: { code: 'edited-since', path: Buffer.from('notes.md') } };
      const left = new BulkheadError('tool_failed', 'half done in /work', { fix: 'Look at /scratch/01A' });
      const thrown = await execute({ effects: one, answer, recovered: left }).catch((error) => error);
      expect(thrown).toMatchObject({ code: 'worker_failed' });
      for (const part of ['notes.md', 'half done in /work', 'Look at /scratch/01A'])
        expect(thrown.message).toContain(part);
      expect(thrown.message).not.toContain('was undone');
      const { result, told } = await execute({ effects: one, answer, recovered: 'dropped' });
      expect(result).toMatchObject({ isError: true, effects: { kept: false } });
      expect(told).toEqual(['commit', 'recover', 'disposed']);
    },
  );

  it('are never guessed: an outcome that can not be found out is thrown [FG4]', async () => {
    const script = { effects: one, answer: new Error('died'), recovered: new Error('disk broke') };
    await expect(execute(script)).rejects.toMatchObject({ code: 'worker_failed' });
  });

  it.each([
    ["mv: cannot move 'a' to 'b': Invalid cross-device link", 'use `mv`'],
    ["Error: EXDEV: cross-device link not permitted, rename 'a' -> 'b'", 'use `mv`'],
    ['cp: x: Value too large for defined data type', 'files of another owner'],
  ])('come with the way out when the box is why it failed: %s', async (said, hint) => {
    const { result } = await execute({ line: `printf '%s\\n' "${said}"`, effects: { status: 1 } });
    expect(result.text).toContain(hint);
    const fine = await execute({ line: `printf '%s\\n' "${said}"` });
    expect(fine.result.text).not.toContain(hint);
  });

  it('are dropped when the command was killed: it has left half of something', async () => {
    const { result, told } = await execute({ effects: { ...one, status: 137 } });
    expect(result.text).toContain('[nothing it changed was kept: it was killed before it came to its end]');
    expect(told).toEqual(['drop', 'disposed']);
  });

  it('are dropped when the disk is nearly full', async () => {
    const { result, told } = await execute({ effects: { ...one, status: 137, stopped: 'disk-full' } });
    expect(result.text).toContain('[nothing it changed was kept: the disk is nearly full; make room');
    expect(told).toEqual(['drop', 'disposed']);
  });

  it('leave something out when it can not be kept, and say so', async () => {
    const notes = [{ code: 'special-file', path: Buffer.from('pipe') }];
    const { result } = await execute({ effects: { ...one, notes } });
    expect(result.text).toContain('[pipe is a pipe, a socket or a device, which can not be kept');
  });
});

describe('a dry run of a command [A5]', () => {
  const plan = async (script: TransactionScript) => {
    const { begin, told } = scriptedTransaction(script);
    const host = createShellHost({
      begin,
      outputs: `${folder.path}/outputs`,
      home: '/nowhere',
      transactions: true,
    });
    return { plan: await host.plan(callOf(), new AbortController().signal), told };
  };

  it('runs it, shows what it would change, and keeps nothing', async () => {
    const { plan: found, told } = await plan({ effects: one });
    expect(found).toMatchObject({ isError: false, changes: [] });
    expect(found.text).toContain('it would change there: 1 created.\n+ made.txt\n$ make\nout');
    expect(found.text).not.toContain('kept');
    expect(told).toEqual(['drop', 'disposed']);
  });

  it('fails as the command does', async () => {
    expect((await plan({ effects: { ...one, status: 1 } })).plan.isError).toBe(true);
    expect((await plan({ effects: { status: 1 } })).plan.isError).toBe(true);
    expect((await plan({ effects: {} })).plan.isError).toBe(false);
    expect((await plan({ dies: true })).plan.isError).toBe(true);
  });

  it('shows no more of a giant change than can be read', async () => {
    const changes = Array.from({ length: 500 }, (_, index) => change(`file-${index}`));
    const { plan: found } = await plan({ effects: { changes } });
    expect(found.text.split('\n')).toHaveLength(104);
    expect(found.text).toContain('… and 400 more');
  });
});
