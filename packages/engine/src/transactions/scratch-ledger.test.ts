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
import { BulkheadError } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ScratchLedger } from './scratch-ledger.ts';

let folder: string;
let work: string;
let home: string;
let recovered: string[];
/** What recovery does to a scratch folder. */
let recover: (scratch: string) => void;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-ledger-'));
  work = join(folder, 'work');
  home = join(folder, 'home');
  mkdirSync(work);
  mkdirSync(home);
  recovered = [];
  recover = (scratch) => {
    rmSync(join(scratch, 'upper'), { recursive: true, force: true });
    writeFileSync(join(scratch, 'outcome'), 'dropped');
  };
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

/** What the launcher leaves: an outcome, or half a transaction. */
const settled = (scratch: string, outcome: string) => writeFileSync(join(scratch, 'outcome'), outcome);
const cutOff = (scratch: string) => mkdirSync(join(scratch, 'upper'));
const none: ReadonlySet<string> = new Set();

describe('ScratchLedger', () => {
  it('makes a private, empty folder for each command, and knows whose it is [B2]', async () => {
    const scratch = await open().begin('01A', work);
    expect(readdirSync(scratch)).toEqual([]);
    expect(statSync(scratch).mode & 0o777).toBe(0o700);
    expect(readlinkSync(join(home, '01A', 'work'))).toBe(work);
    await expect(open().begin('01A', work)).rejects.toThrow('EEXIST');
  });

  it.each([
    ['committed', 'executed'],
    ['dropped', 'not_executed'],
    ['hm', 'not_executed'],
  ])('tells the fate by the outcome: %s is %s [FG5]', async (outcome, fate) => {
    const ledger = open();
    settled(await ledger.begin('01A', work), outcome);
    expect(ledger.fateOf('01A')).toBe(fate);
    expect(await ledger.finish('01A')).toBe(outcome === 'committed' ? 'committed' : 'dropped');
    expect(recovered).toEqual([]);
  });

  it('knows that what it has not noted never began [FG5]', async () => {
    const ledger = open();
    expect(ledger.fateOf('01A')).toBe('not_executed');
    await ledger.begin('01B', work);
    expect(ledger.fateOf('01B')).toBe('not_executed');
  });

  it('brings in order what a launcher left that died [T8]', async () => {
    const ledger = open();
    const scratch = await ledger.begin('01A', work);
    cutOff(scratch);
    expect(await ledger.finish('01A')).toBe('dropped');
    expect(recovered).toEqual([scratch]);
    expect(readdirSync(scratch)).toEqual(['outcome']);
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

  it('keeps the newest 256 of those that are recorded, and all that are not', {
    timeout: 30_000,
  }, async () => {
    const ledger = open();
    const ids = Array.from({ length: 300 }, (_, index) => `01${String(index).padStart(4, '0')}`);
    for (const id of ids) settled(await ledger.begin(id, work), 'committed');
    for (const id of ids.slice(1)) ledger.recorded(id);
    expect(readdirSync(home)).toEqual([ids[0], ...ids.slice(-256)]);
    await open().recover(new Set([ids[0] ?? '']));
    expect(readdirSync(home)).toHaveLength(257);
    await open().recover(none);
    expect(readdirSync(home)).toEqual(ids.slice(-256));
    expect(open().fateOf('010299')).toBe('executed');
  });

  it('never throws away what is not in order', { timeout: 30_000 }, async () => {
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
