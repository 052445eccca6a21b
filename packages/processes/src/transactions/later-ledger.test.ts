import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BulkheadError } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ScratchLedger } from './scratch-ledger.ts';

let folder: string;
let work: string;
let recovered: string[];
/** The effect of recovery on a scratch folder. */
let recover: (scratch: string) => void;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-later-'));
  work = join(folder, 'work');
  mkdirSync(work);
  mkdirSync(join(folder, 'home'));
  recovered = [];
  recover = (scratch) => rmSync(join(scratch, 'journal'), { force: true });
  await open().recover(none);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(): ScratchLedger {
  return new ScratchLedger(join(folder, 'home'), {
    recover: async ({ scratch }) => {
      recovered.push(scratch);
      recover(scratch);
      return 'dropped';
    },
  });
}

/** Start of a journal as launcher/plan.c writes it: magic, mark, number of steps; the mark decides. */
const journal = (mark: number): Buffer =>
  Buffer.from(`BLKDJ01\0${String.fromCharCode(mark)}\0\0\0\x01\0\0\0steps`, 'latin1');
const [PLANNED, COMMITTED] = [journal(1), journal(2)];
const none: ReadonlySet<string> = new Set();

describe('the ledger of processes that went on after their command', () => {
  /** A settled command, and the remains of what it left. */
  const left = async (ledger: ScratchLedger, mark?: Buffer) => {
    const scratch = await ledger.begin('01A', work);
    writeFileSync(join(scratch, 'journal'), COMMITTED);
    mkdirSync(join(scratch, 'held/upper'), { recursive: true });
    if (mark !== undefined) writeFileSync(join(scratch, 'held/journal'), mark);
    return scratch;
  };

  it('tells the outcome by a journal of its own, and leaves the command’s alone [B2] [FG4]', async () => {
    const ledger = open();
    const scratch = await left(ledger);
    expect(await ledger.finishLater('01A')).toBe('dropped');
    writeFileSync(join(scratch, 'held/journal'), COMMITTED);
    expect(await ledger.finishLater('01A')).toBe('committed');
    expect(ledger.fateOf('01A')).toBe('executed');
    expect(recovered).toEqual([]);
    rmSync(scratch, { recursive: true });
    await expect(ledger.finishLater('01A')).rejects.toMatchObject({ code: 'tool_failed' });
  });

  it('has recovery undo what an engine left half committed, there and nowhere else [B2] [T8]', async () => {
    const scratch = await left(open(), PLANNED);
    expect(open().fateOf('01A')).toBe('unknown');
    expect(await open().recover(none)).toEqual([]);
    expect(recovered).toEqual([join(scratch, 'held')]);
    expect(open().fateOf('01A')).toBe('executed');
    expect(await open().finishLater('01A')).toBe('dropped');
  });

  it('has recovery undo a quiet moment that an engine left half committed, and one says how it ended [B2] [T8]', async () => {
    const scratch = await left(open());
    mkdirSync(join(scratch, 'quiet'));
    writeFileSync(join(scratch, 'quiet/journal'), PLANNED);
    expect(open().fateOf('01A')).toBe('unknown');
    expect(await open().finishLater('01A', 'quiet')).toBe('dropped');
    expect(recovered).toEqual([join(scratch, 'quiet')]);
    writeFileSync(join(scratch, 'quiet/journal'), COMMITTED);
    expect(await open().finishLater('01A', 'quiet')).toBe('committed');
    expect(open().keptLater('01A')).toBe(false);
    writeFileSync(join(scratch, 'quiet/journal'), PLANNED);
    recovered = [];
    expect(await open().recover(none)).toEqual([]);
    expect(recovered).toEqual([join(scratch, 'quiet')]);
    expect(open().fateOf('01A')).toBe('executed');
  });

  it('clears what an engine left uncommitted, once, and blocks no folder with it [B2] [A4]', async () => {
    const scratch = await left(open());
    recover = (at) => rmSync(join(at, 'upper'), { recursive: true });
    expect(await open().recover(none)).toEqual([]);
    expect(await open().recover(none)).toEqual([]);
    expect(recovered).toEqual([join(scratch, 'held')]);
    expect(open().keptLater('01A')).toBe(false);
    mkdirSync(join(scratch, 'held/upper'));
    recover = () => {
      throw new BulkheadError('tool_failed', 'the disk says no');
    };
    const ledger = open();
    expect(await ledger.recover(none)).toEqual([]);
    expect(await ledger.begin('01B', work)).toContain('01B');
  });

  it('lets no command into the folder until that is undone [A4]', async () => {
    await left(open(), PLANNED);
    const ledger = open();
    recover = () => {
      throw new BulkheadError('tool_failed', 'the disk says no');
    };
    expect(await ledger.recover(none)).toHaveLength(1);
    await expect(ledger.begin('01B', work)).rejects.toMatchObject({ code: 'tool_failed' });
    recover = (at) => rmSync(join(at, 'journal'));
    expect(await ledger.begin('01B', work)).toContain('01B');
  });
});
