import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shareOfNumbers } from '@bulkhead/testkit/sweep';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAuditLog } from '../audit-log.ts';
import { sealEntry } from '../chain.ts';
import { proposed, rejection, temporaryFolder, withClock, writeLog } from '../testing.ts';
import { verifyAuditLog } from './verify-audit-log.ts';

const COUNT = 12;
let folder: ReturnType<typeof temporaryFolder>;
let file: string;
let lines: readonly string[];
beforeEach(async () => {
  folder = temporaryFolder();
  file = join(folder.path, 'audit-000001.jsonl');
  await writeLog(folder.path, COUNT);
  lines = readFileSync(file, 'utf8').trimEnd().split('\n');
});
afterEach(() => folder[Symbol.dispose]());

async function verify(changed: readonly string[]) {
  writeFileSync(file, changed.map((line) => `${line}\n`).join(''));
  return verifyAuditLog(folder.path);
}

const badAt = (line: number, reason: RegExp) => ({
  ok: false,
  entries: line - 1,
  firstBad: { file: 'audit-000001.jsonl', line, n: line, reason: expect.stringMatching(reason) },
});
const at = (index: number): string => lines[index] ?? '';

describe('verifying the audit log', () => {
  it('accepts what was written, and nothing at all', async () => {
    expect(await verifyAuditLog(folder.path)).toMatchObject({ ok: true, entries: COUNT });
    using empty = temporaryFolder();
    expect(await verifyAuditLog(empty.path)).toMatchObject({ ok: true, entries: 0 });
  });

  it('finds every changed entry [U1]', async () => {
    for (let i = 0; i < COUNT; i++) {
      const changed = lines.with(i, at(i).replace('"tool":"read"', '"tool":"ls"'));
      expect(await verify(changed)).toEqual(badAt(i + 1, /does not match its hash/));
    }
  });

  it('finds every entry that was changed and sealed anew, at the entry after it [U1]', async () => {
    for (let i = 0; i < COUNT - 1; i++) {
      const { self: _, ...open } = JSON.parse(at(i));
      const { n, prev, time, v: _v, ...input } = { ...open, tool: 'ls' };
      const { line } = sealEntry(input, { n: n - 1, self: prev }, Date.parse(time));
      expect(await verify(lines.with(i, line))).toEqual(badAt(i + 2, /does not follow the entry before/));
    }
  });

  it('finds every removed entry but the last [U1]', async () => {
    for (let i = 0; i < COUNT - 1; i++) {
      expect(await verify(lines.toSpliced(i, 1))).toEqual(badAt(i + 1, /number is/));
    }
  });

  it('finds every inserted and every doubled entry [U1]', async () => {
    for (let i = 0; i < COUNT; i++) {
      expect(await verify(lines.toSpliced(i, 0, '{}'))).toEqual(badAt(i + 1, /not an audit entry/));
      expect(await verify(lines.toSpliced(i, 0, at(i)))).toEqual(badAt(i + 2, /number is/));
      expect(await verify(lines.toSpliced(i, 0, ''))).toEqual(badAt(i + 1, /not JSON/));
    }
  });

  it('finds every pair of entries that changed places [U1]', async () => {
    for (let i = 0; i < COUNT - 1; i++) {
      const changed = lines.with(i, at(i + 1)).with(i + 1, at(i));
      expect(await verify(changed)).toEqual(badAt(i + 1, /number is/));
    }
  });

  it('finds a byte that is changed, anywhere [U1]', async () => {
    const whole = Buffer.from(
      lines
        .slice(0, 4)
        .map((line) => `${line}\n`)
        .join(''),
    );
    for (const position of shareOfNumbers(0, whole.length, 80)) {
      const changed = Buffer.from(whole);
      changed[position] = (whole[position] ?? 0) ^ (1 << (position % 8));
      writeFileSync(file, changed);
      const line = whole.subarray(0, position).toString('latin1').split('\n').length;
      expect((await verifyAuditLog(folder.path)).firstBad).toMatchObject({ line, n: line });
    }
  });

  it('finds a missing line break, bytes that are not UTF-8, and a line without end', async () => {
    writeFileSync(file, readFileSync(file).subarray(0, -1));
    expect(await verifyAuditLog(folder.path)).toEqual(badAt(COUNT, /incomplete/));
    writeFileSync(file, Buffer.from(`${at(0).replace('a1', '\u00ff')}\n`, 'latin1'));
    expect(await verifyAuditLog(folder.path)).toEqual(badAt(1, /not UTF-8/));
    writeFileSync(file, `${at(0)}\n${'x'.repeat(5_000_000)}`);
    expect(await verifyAuditLog(folder.path)).toEqual(badAt(2, /too long/));
  });

  it('follows the chain over many files, and finds those missing, emptied or swapped [U1]', async () => {
    using many = temporaryFolder();
    await writeLog(many.path, 40, 1000);
    const names = readdirSync(many.path).filter((name) => name.endsWith('.jsonl'));
    expect(names.length).toBeGreaterThan(5);
    expect(await verifyAuditLog(many.path)).toMatchObject({ ok: true, entries: 40 });
    const path = (name: string): string => join(many.path, name);
    for (const name of names.slice(0, -1)) {
      renameSync(path(name), path('away'));
      expect((await verifyAuditLog(many.path)).firstBad).toMatchObject({
        file: name,
        reason: 'the file is missing',
      });
      writeFileSync(path(name), '');
      expect((await verifyAuditLog(many.path)).firstBad).toMatchObject({ file: name, line: 1 });
      rmSync(path(name));
      renameSync(path('away'), path(name));
    }
    expect((await verifyAuditLog(many.path)).ok).toBe(true);
  });

  it('checks a long log, and can be cancelled', async () => {
    using long = temporaryFolder();
    const log = await openAuditLog(long.path, withClock);
    for (let n = 0; n < 40; n++)
      await Promise.all(Array.from({ length: 500 }, () => log.append([proposed('a')])));
    await log.close();
    expect(await verifyAuditLog(long.path)).toMatchObject({ ok: true, entries: 20_000 });
    expect((await rejection(verifyAuditLog(long.path, { signal: AbortSignal.abort() }))).code).toBe(
      'cancelled',
    );
  });

  it('says that the folder is not there', async () => {
    expect((await rejection(verifyAuditLog(join(folder.path, 'none')))).code).toBe('audit_failed');
  });
});
