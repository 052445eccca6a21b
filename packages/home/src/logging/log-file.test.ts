import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, systemTimers } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LogFile } from './log-file.ts';

/** Far more than it takes on a busy machine. */
const waitFor = (check: () => void) => vi.waitFor(check, 60_000);

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-log-'));
  path = join(folder, 'engine.log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (rotateBytes?: number): LogFile =>
  new LogFile({
    path,
    clock: systemClock,
    timers: systemTimers,
    ...(rotateBytes === undefined ? {} : { rotateBytes }),
    lossLine: ({ lines, since, reason }) => `lost ${lines} ${since} ${reason}\n`,
  });

/** A disk without space: every write to this device fails with ENOSPC. */
const FULL = '/dev/full';

describe.skipIf(!existsSync(FULL))('the log on a disk that is full', () => {
  it('drops lines without an error, and says afterwards how many, since when and why [FT80]', async () => {
    const begun = Date.now();
    symlinkSync(FULL, path);
    await using log = open();
    log.write('first\n');
    await waitFor(() => expect(log.lost?.lines).toBe(1));
    for (let number = 0; number < 500; number += 1) log.write(`${number}\n`);
    expect(log.lost).toMatchObject({ lines: 501, reason: expect.stringContaining('ENOSPC') });
    rmSync(path);
    // Without another line.
    await waitFor(() => expect(existsSync(path) && log.lost === undefined).toBe(true));
    log.write('after\n');
    await waitFor(() => expect(readFileSync(path, 'utf8')).toContain('after'));
    const [lost, after, ...rest] = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lost).toMatch(/^lost 501 \d+ ENOSPC/);
    expect(Number(lost?.split(' ')[2])).toBeGreaterThanOrEqual(begun);
    expect([after, rest]).toEqual(['after', []]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

describe('the log', () => {
  it('keeps the order of its lines, and writes what waits when it is closed', async () => {
    const lines = Array.from({ length: 2_000 }, (_, index) => `${index}`);
    {
      await using log = open();
      for (const line of lines) log.write(`${line}\n`);
    }
    expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toEqual(lines);
  });

  it('writes what waits at the end of the process', async () => {
    await using log = open();
    log.write('opens the file\n');
    await waitFor(() => expect(existsSync(path) && statSync(path).size).toBeGreaterThan(0));
    log.write('last\n');
    log.flushNow();
    expect(readFileSync(path, 'utf8')).toBe('opens the file\nlast\n');
  });

  it('holds no more than its limit for a slow disk, and counts the rest', async () => {
    await using log = open();
    const line = `${'x'.repeat(1024 * 1024 - 1)}\n`;
    for (let count = 0; count < 10; count += 1) log.write(line);
    expect(log.lost).toMatchObject({ lines: 6 });
    await waitFor(() => expect(log.lost).toBeUndefined());
    expect(readFileSync(path, 'utf8')).toContain('lost 6 ');
  });

  it('begins another file once it is long, and keeps the one before', async () => {
    await using log = open(10);
    log.write('0123456789\n');
    await waitFor(() => expect(existsSync(path) && statSync(path).size).toBe(11));
    log.write('next\n');
    await waitFor(() => expect(existsSync(`${path}.1`) && existsSync(path) && statSync(path).size).toBe(5));
    expect(readFileSync(`${path}.1`, 'utf8')).toBe('0123456789\n');
    expect(readFileSync(path, 'utf8')).toBe('next\n');
  });
});
