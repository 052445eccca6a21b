import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BackgroundCommands } from '@bulkhead/tools';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeptCommandRecords } from './command-records.ts';

let folder: string;
let kept: Set<string>;
let committed: Set<string>;
let errors: unknown[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-records-'));
  kept = new Set(['s']);
  committed = new Set();
  errors = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** As each engine does at its start. */
const open = () =>
  new KeptCommandRecords({
    folder: join(folder, 'background'),
    isKept: (session) => kept.has(session),
    wasKept: (action) => committed.has(action),
    redaction: { redact: (text) => text.replace('secret', '[redacted]') },
    onError: (error) => errors.push(error),
  });

const command = (id: string, sessionId = 's') => ({
  ...{ id, action: id.replace(/-left$/, ''), sessionId, workingFolder: '/w', command: 'npm run dev' },
  ...{ outputPath: `/o/${id}.txt`, pid: 7, ended: undefined, remarks: [] },
});

const LOST =
  'what it changed in its folder is lost, except what was kept at quiet moments: the engine ended before';

describe('background commands that ended with their engine', () => {
  it('are named with what became of their changes, until they are stopped [B2] [A4]', async () => {
    const first = open();
    first.begun(command('01A'), true);
    first.begun(command('01B'), false);
    first.begun(command('01C-left'), true);
    first.begun(command('01D'), true);
    first.over('01D');
    const commands = new BackgroundCommands(open());
    // Recovery comes after the start.
    committed.add('01C');
    expect(commands.list('s').map(({ id, ended, pid, remarks }) => [id, ended, pid, ...remarks])).toEqual([
      ['01A', 'it ended with the engine', 0, LOST],
      ['01B', 'it ended with the engine', 0, 'it wrote its folder directly'],
      ['01C-left', 'it ended with the engine', 0, 'what it changed in its folder was kept'],
    ]);
    expect(commands.list('another')).toEqual([]);
    expect(await commands.end('01A', 'another')).toBeUndefined();
    expect((await commands.end('01A'))?.remarks).toEqual([LOST]);
    // The engine's own end forgets none of them.
    await commands.close();
    const later = new BackgroundCommands(open());
    expect([later.lost, ...later.list().map(({ id }) => id)]).toEqual([2, '01B', '01C-left']);
    await later.stopAll('s');
    expect(new BackgroundCommands(open()).list()).toEqual([]);
  });

  it('are remembered without secrets, not off the record, nor when their session is gone [S5]', () => {
    const first = open();
    first.begun(command('01A', 'off the record'), true);
    expect(readdirSync(join(folder, 'background'))).toEqual([]);
    first.begun({ ...command('01B'), command: 'serve secret' }, true);
    expect(open().lost.map((one) => one.command)).toEqual(['serve [redacted]']);
    kept.clear();
    expect(open().lost).toEqual([]);
    expect(readdirSync(join(folder, 'background'))).toEqual([]);
  });

  it('go on if they can not be remembered, which is reported [A4]', () => {
    const first = open();
    rmSync(join(folder, 'background'), { recursive: true });
    first.begun(command('01A'), true);
    expect(errors).toEqual([expect.objectContaining({ code: 'ENOENT' })]);
  });

  it('are read from regular files of limited size only, and nothing else is removed [A4]', () => {
    const records = join(folder, 'background');
    const first = open();
    first.begun({ ...command('01A'), command: 'x'.repeat(100_000) }, true);
    execFileSync('mkfifo', [join(records, '01B.json')]);
    writeFileSync(join(folder, '01C.json'), JSON.stringify({ ...command('01C'), held: true }));
    symlinkSync('../01C.json', join(records, '01C.json'));
    const long = JSON.stringify({ ...command('01D'), held: true, more: 'x'.repeat(100_000) });
    writeFileSync(join(records, '01D.json'), long);
    writeFileSync(join(records, 'notes.txt'), 'mine');
    mkdirSync(join(records, '01E.json'));
    const names = readdirSync(records);
    expect(open().lost.map(({ id }) => id)).toEqual(['01A']);
    expect(readdirSync(records)).toEqual(names);
    expect(errors).toEqual([]);
  });

  it('are neither read nor written nor removed through a link to a folder [A4]', () => {
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, '01A.json'), 'mine');
    symlinkSync(elsewhere, join(folder, 'background'));
    const first = open();
    first.begun(command('01B'), true);
    first.over('01A');
    expect(first.lost).toEqual([]);
    expect(readdirSync(elsewhere)).toEqual(['01A.json']);
    expect(errors).toHaveLength(3);
  });

  it('leave nothing that can not be read [A4]', () => {
    open();
    writeFileSync(join(folder, 'background/01A.json'), '{"id":"01A"');
    writeFileSync(join(folder, 'background/01B.json'), JSON.stringify({ ...command('01C'), held: true }));
    expect(open().lost).toEqual([]);
    expect(readdirSync(join(folder, 'background'))).toEqual([]);
  });
});
