import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ActionFate, BulkheadError } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ScratchLedger } from './scratch-ledger.ts';

let folder: string;
let work: string;
let home: string;
let recovered: string[];
/** The effect of recovery on a scratch folder. */
let recover: (scratch: string) => void;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-ledger-'));
  work = join(folder, 'work');
  home = join(folder, 'home');
  mkdirSync(work);
  mkdirSync(home);
  recovered = [];
  recover = (scratch) => {
    rmSync(join(scratch, 'upper'), { recursive: true, force: true });
    rmSync(join(scratch, 'journal'), { force: true });
  };
  await open().recover(none);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(): ScratchLedger {
  return new ScratchLedger(home, {
    recover: async ({ scratch }) => {
      recovered.push(scratch);
      recover(scratch);
      return 'dropped';
    },
  });
}

/**
 * Start of a journal as launcher/plan.c writes it: magic, mark, number of steps; the mark decides.
 */
const journal = (mark: number): Buffer =>
  Buffer.from(`BLKDJ01\0${String.fromCharCode(mark)}\0\0\0\x01\0\0\0steps`, 'latin1');
const [PLANNED, COMMITTED] = [journal(1), journal(2)];

/** The launcher's remains: a committed journal, nothing, or half a transaction. */
const settled = (scratch: string, as: 'committed' | 'dropped') => {
  if (as === 'committed') writeFileSync(join(scratch, 'journal'), COMMITTED);
};
const cutOff = (scratch: string) => mkdirSync(join(scratch, 'upper'));
const none: ReadonlySet<string> = new Set();
const entries = () => readdirSync(home).filter((name) => name.startsWith('0'));

describe('ScratchLedger', () => {
  it('makes a private, empty folder for each command, and knows whose it is [B2]', async () => {
    const scratch = await open().begin('01A', work);
    expect(readdirSync(scratch)).toEqual([]);
    expect(statSync(scratch).mode & 0o777).toBe(0o700);
    expect(readlinkSync(join(home, '01A', 'work'))).toBe(work);
    await expect(open().begin('01A', work)).rejects.toThrow('EEXIST');
  });

  it.each<[string, Record<string, string | Buffer>, string, ActionFate]>([
    ['no journal', {}, 'dropped', 'not_executed'],
    ['a committed journal', { journal: COMMITTED }, 'committed', 'executed'],
    // An earlier version's file beside the journal is no evidence: a power cut left it empty.
    [
      'a committed journal and an empty outcome',
      { journal: COMMITTED, outcome: '' },
      'committed',
      'executed',
    ],
    [
      'a committed journal and another outcome',
      { journal: COMMITTED, outcome: 'dropped' },
      'committed',
      'executed',
    ],
    ['an outcome without a journal', { outcome: 'committed' }, 'dropped', 'not_executed'],
  ])('tells the fate by the journal alone: %s [T8] [FG4] [FG5]', async (_what, files, end, fate) => {
    const ledger = open();
    const scratch = await ledger.begin('01A', work);
    for (const [name, content] of Object.entries(files)) writeFileSync(join(scratch, name), content);
    expect(ledger.fateOf('01A')).toBe(fate);
    expect(await ledger.finish('01A')).toBe(end);
    expect(recovered).toEqual([]);
  });

  it.each<[string, Buffer | string]>([
    ['planned', PLANNED],
    ['empty', ''],
    ['cut within its mark', COMMITTED.subarray(0, 9)],
    ['of zeros', Buffer.alloc(64)],
    ['of another kind', 'committed'.repeat(8)],
    ['marked with what no version knows', journal(7)],
  ])(
    'does not know the fate by a journal that is %s, and lets recovery decide [T8] [FG4]',
    async (_what, content) => {
      const ledger = open();
      const scratch = await ledger.begin('01A', work);
      writeFileSync(join(scratch, 'journal'), content);
      expect(ledger.fateOf('01A')).toBe('unknown');
      recover = () => {};
      await expect(ledger.finish('01A')).rejects.toMatchObject({ code: 'tool_failed' });
      expect(recovered).toEqual([scratch]);
      recover = () => {
        throw new BulkheadError('tool_failed', 'it is none of ours');
      };
      expect(await open().recover(none)).toMatchObject([{ code: 'tool_failed' }]);
      expect(open().fateOf('01A')).toBe('unknown');
      expect(readdirSync(scratch)).toEqual(['journal']);
    },
  );

  it('does not know the fate while anything waits for recovery, a committed journal included [FG4]', async () => {
    const ledger = open();
    const scratch = await ledger.begin('01A', work);
    settled(scratch, 'committed');
    cutOff(scratch);
    expect(ledger.fateOf('01A')).toBe('unknown');
    recover = () => rmSync(join(scratch, 'upper'), { recursive: true });
    expect(await ledger.finish('01A')).toBe('committed');
    expect(ledger.fateOf('01A')).toBe('executed');
  });

  it('does not know the fate once a commit was asked for and its scratch folder is gone [FG4]', async () => {
    const ledger = open();
    const scratches = [await ledger.begin('01A', work), await ledger.begin('01B', home)];
    for (const id of ['01A', '01B']) await ledger.secure(id);
    for (const scratch of scratches) rmSync(scratch, { recursive: true });
    const next = open();
    expect(await next.recover(new Set(['01A', '01B']))).toEqual([]);
    expect([next.fateOf('01A'), next.fateOf('01B')]).toEqual(['unknown', 'unknown']);
    await expect(next.finish('01B')).rejects.toMatchObject({ code: 'tool_failed' });
    // Nothing remains for recovery: the folder is free.
    await next.begin('01C', work);
  });

  it('knows that a command never asked for a commit when nothing of it outlived a power cut [FG5]', async () => {
    const ledger = open();
    const elsewhere = await ledger.begin('01B', home);
    rmSync(elsewhere, { recursive: true });
    mkdirSync(join(home, '01C'));
    symlinkSync(work, join(home, '01C', 'work'));
    const next = open();
    expect(await next.recover(new Set(['01A', '01B', '01C']))).toEqual([]);
    for (const id of ['01B', '01C']) expect(next.fateOf(id), id).toBe('not_executed');
    expect(next.fateOf('01A')).toBeUndefined();
  });

  it('tells nothing of a command whose entry is gone, asked for a commit or not [T8] [FG4]', async () => {
    const ledger = open();
    expect(ledger.fateOf('01A')).toBeUndefined();
    settled(await ledger.begin('01B', work), 'committed');
    await ledger.secure('01B');
    rmSync(join(home, '01B'), { recursive: true });
    expect(await open().recover(new Set(['01B']))).toEqual([]);
    expect(open().fateOf('01B')).toBeUndefined();
    await expect(open().finish('01B')).rejects.toMatchObject({ code: 'tool_failed' });
  });

  it('does not know the fates of what was open when its folder was taken away, ever after [T8] [FG4]', async () => {
    settled(await open().begin('01B', work), 'committed');
    await open().secure('01B');
    rmSync(home, { recursive: true });
    mkdirSync(home);
    const left = new Set(['01A', '01B']);
    for (const ids of [left, left, none]) {
      expect(await open().recover(ids)).toEqual([]);
      for (const id of left) expect(open().fateOf(id), id).toBe('unknown');
    }
    await expect(open().finish('01B')).rejects.toMatchObject({ code: 'tool_failed' });
  });

  it('brings in order what a launcher left that died [T8]', async () => {
    const ledger = open();
    const scratch = await ledger.begin('01A', work);
    cutOff(scratch);
    expect(await ledger.finish('01A')).toBe('dropped');
    expect(recovered).toEqual([scratch]);
    expect(readdirSync(scratch)).toEqual([]);
  });

  it('brings in order at start what an engine left that died, wherever it lies [T8]', async () => {
    const first = open();
    const inside = join(home, 'inside');
    mkdirSync(inside);
    const scratches = [await first.begin('01A', work), await first.begin('01B', home)];
    for (const scratch of scratches) cutOff(scratch);
    settled(await first.begin('01C', work), 'committed');
    mkdirSync(join(home, '01D'));
    expect(scratches[1]).toBe(join(folder, '.bulkhead-scratch', '01B'));
    rmSync(inside, { recursive: true });
    expect(await open().recover(none)).toEqual([]);
    expect(recovered).toEqual(scratches);
    expect(existsSync(join(home, '01D'))).toBe(false);
    expect(open().fateOf('01C')).toBe('executed');
  });

  it('lets no command into a folder that could not be brought in order, until it can [A4]', async () => {
    const first = open();
    cutOff(await first.begin('01A', work));
    recover = () => {
      throw new BulkheadError('tool_failed', 'half done');
    };
    const ledger = open();
    expect(await ledger.recover(none)).toMatchObject([{ code: 'tool_failed' }]);
    expect(ledger.fateOf('01A')).toBe('unknown');
    mkdirSync(join(work, 'sub'));
    mkdirSync(join(folder, 'other'));
    await expect(ledger.begin('01B', work)).rejects.toThrow('half done');
    await expect(ledger.begin('01B', join(work, 'sub'))).rejects.toThrow('half done');
    await ledger.begin('01B', join(folder, 'other'));
    recover = (scratch) => {
      rmSync(join(scratch, 'upper'), { recursive: true });
      settled(scratch, 'committed');
    };
    await ledger.begin('01C', work);
    expect(ledger.fateOf('01A')).toBe('executed');
  });

  it('knows nothing of what lies on a disk that is away, and keeps its entry [FG5]', async () => {
    const disk = join(folder, 'disk');
    const away = join(folder, 'away');
    const scratch = join(disk, '.bulkhead-scratch', '01A');
    mkdirSync(scratch, { recursive: true });
    mkdirSync(join(disk, 'work'));
    mkdirSync(join(home, '01A'));
    symlinkSync(join(disk, 'work'), join(home, '01A', 'work'));
    symlinkSync(scratch, join(home, '01A', 'box'));
    settled(scratch, 'committed');
    expect(open().fateOf('01A')).toBe('executed');
    renameSync(disk, away);
    const ledger = open();
    expect(ledger.fateOf('01A')).toBe('unknown');
    expect(await ledger.recover(none)).toMatchObject([{ code: 'tool_failed' }]);
    expect(ledger.fateOf('01A')).toBe('unknown');
    expect(recovered).toEqual([]);
    mkdirSync(disk);
    expect(ledger.fateOf('01A')).toBe('unknown');
    rmSync(disk, { recursive: true });
    for (let index = 0; index < 257; index += 1) {
      const id = `02${String(index).padStart(4, '0')}`;
      settled(await ledger.begin(id, work), 'dropped');
      ledger.recorded(id);
    }
    renameSync(away, disk);
    expect(open().fateOf('01A')).toBe('executed');
    rmSync(scratch, { recursive: true });
    expect(open().fateOf('01A')).toBe('not_executed');
  });

  const many = Array.from({ length: 300 }, (_, index) => `01${String(index).padStart(4, '0')}`);
  it('keeps the newest 256 of those that are recorded, and all that are not', async () => {
    const ledger = open();
    for (const id of many) settled(await ledger.begin(id, work), 'committed');
    for (const id of many.slice(1)) ledger.recorded(id);
    expect(entries()).toEqual([many[0], ...many.slice(-256)]);
    await open().recover(new Set([many[0] ?? '']));
    expect(entries()).toHaveLength(257);
    await open().recover(none);
    expect(entries()).toEqual(many.slice(-256));
    expect(open().fateOf('010299')).toBe('executed');
  });
  it('keeps one whose view is still in use, until it is not', async () => {
    const ledger = open();
    for (const id of many) settled(await ledger.begin(id, work), 'committed');
    const held = ledger.hold('010000');
    for (const id of many.slice(0, 299)) ledger.recorded(id);
    expect(entries()[0]).toBe(many[0]);
    held[Symbol.dispose]();
    for (const id of many.slice(43, 299)) ledger.recorded(id);
    expect(entries()).not.toContain(many[0]);
  });

  it('never throws away what is not in order', async () => {
    const ledger = open();
    const scratch = await ledger.begin('010', work);
    cutOff(scratch);
    ledger.recorded('010');
    for (let index = 0; index < 256; index += 1) {
      const id = `02${String(index).padStart(4, '0')}`;
      settled(await ledger.begin(id, work), 'dropped');
      ledger.recorded(id);
    }
    expect(existsSync(join(scratch, 'upper'))).toBe(true);
  });
});
