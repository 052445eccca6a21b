import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { systemTimers } from '@bulkhead/protocol';
import { shareOfNumbers } from '@bulkhead/testkit/sweep';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAuditLog } from './audit-log.ts';
import { proveAction } from './proof/prove-action.ts';
import { forgetCheckpoints, proposed, rejection, temporaryFolder, withClock, writeLog } from './testing.ts';
import { verifyAuditLog } from './verify/verify-audit-log.ts';

const CHILD = [
  '--experimental-transform-types',
  '--disable-warning=ExperimentalWarning',
  join(import.meta.dirname, 'append.child.ts'),
];
const canTrace = spawnSync('strace', ['-f', '-e', 'trace=none', 'true']).status === 0;

let folder: ReturnType<typeof temporaryFolder>;
let log: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  log = join(folder.path, 'audit');
  file = join(log, 'audit-000001.jsonl');
});
afterEach(() => folder[Symbol.dispose]());

const open = () => openAuditLog(log, withClock);

describe('the audit log', () => {
  it('is readable by the user only', async () => {
    mkdirSync(log, { mode: 0o755 });
    await writeLog(log, 1);
    expect(statSync(log).mode & 0o777).toBe(0o700);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('has an entry on the disk when it says so [U1]', async () => {
    const audit = await open();
    const [entry] = await audit.append([proposed('a')]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(entry);
    expect(audit.head).toEqual({ n: 1, self: entry?.self });
    await audit.close();
  });

  it('proves what was recorded a moment ago once it is asked to sign [U1]', async () => {
    const never = { ...systemTimers, after: () => ({ [Symbol.dispose]() {} }) };
    const audit = await openAuditLog(log, { ...withClock, timers: never });
    await audit.append([proposed('a')]);
    await expect(proveAction(log, 'a')).rejects.toThrow('no checkpoint was signed');
    await audit.sign();
    expect(await proveAction(log, 'a')).toMatchObject({ proves: 'action' });
    await audit.append([proposed('b')]);
    await audit.sign();
    expect(await proveAction(log, 'b')).toMatchObject({ proves: 'action' });
    await audit.close();
    await expect(audit.sign()).rejects.toThrow('closed');
  });

  it('keeps the order of calls, across calls that meet and across restarts [U1]', async () => {
    for (let round = 0; round < 3; round++) {
      const audit = await open();
      const calls = Array.from({ length: 50 }, (_, n) => audit.append([proposed(`${n}`), proposed(`${n}+`)]));
      const numbers = (await Promise.all(calls)).flat().map((entry) => entry.n);
      expect(numbers).toEqual(Array.from({ length: 100 }, (_, n) => round * 100 + n + 1));
      await audit.close();
    }
    expect(await verifyAuditLog(log)).toMatchObject({ ok: true, entries: 300 });
  });

  it('finishes what is under way when it is closed, and refuses what comes later', async () => {
    const audit = await open();
    const last = audit.append([proposed('a')]);
    await audit.close();
    expect((await last)[0]?.n).toBe(1);
    expect((await rejection(audit.append([proposed('b')]))).code).toBe('audit_failed');
    await audit.close();
  });

  it('goes on with the chain after a new file was begun but not written', async () => {
    await writeLog(log, 5);
    writeFileSync(join(log, 'audit-000002.jsonl'), '');
    await writeLog(log, 1);
    expect(await verifyAuditLog(log)).toMatchObject({ ok: true, entries: 6 });
  });

  it('is mended after it was cut short anywhere, and says so [U1]', async () => {
    await writeLog(log, 2);
    const whole = readFileSync(file);
    for (const size of shareOfNumbers(0, whole.length + 1, 40)) {
      forgetCheckpoints(log);
      writeFileSync(file, whole);
      truncateSync(file, size);
      const before = whole.subarray(0, size).toString('latin1');
      const complete = before.split('\n').length - 1;
      const audit = await open();
      const wasCut = size > 0 && !before.endsWith('\n');
      const keptLast = wasCut && whole[size] === 10;
      expect(audit.head.n).toBe(complete + (wasCut ? 1 : 0) + (keptLast ? 1 : 0));
      await audit.close();
      const last = readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? '';
      if (wasCut)
        expect(JSON.parse(last)).toMatchObject({ step: 'REPAIRED', details: { file: 'audit-000001.jsonl' } });
      expect(await verifyAuditLog(log)).toMatchObject({ ok: true, entries: audit.head.n });
    }
  });

  it('is mended when the new file of a rotated log was cut short', async () => {
    await writeLog(log, 4, 1);
    const before = await verifyAuditLog(log);
    const last = join(log, 'audit-000004.jsonl');
    const checkpoints = join(log, 'audit-000004.checkpoints');
    expect(existsSync(last)).toBe(true);
    truncateSync(last, statSync(last).size - 5);
    // As after a crash before the signature.
    truncateSync(checkpoints, readFileSync(checkpoints, 'utf8').indexOf('\n') + 1);
    await writeLog(log, 1, 1);
    expect(await verifyAuditLog(log)).toMatchObject({ ok: true, entries: before.entries + 1 });
  });

  it('refuses any other damage, names the entry and leaves the file as it is [U1]', async () => {
    await writeLog(log, 6);
    forgetCheckpoints(log);
    const lines = readFileSync(file, 'utf8').split('\n');
    const line = (n: number): string => lines[n - 1] ?? '';
    const damaged: readonly (readonly [number, readonly string[]])[] = [
      [3, lines.with(2, line(3).replace('PROPOSED', 'EXECUTED'))],
      [2, lines.toSpliced(1, 1)],
      [4, lines.with(3, line(5)).with(4, line(4))],
      [6, lines.with(5, '{"torn":')],
    ];
    for (const [n, content] of damaged) {
      writeFileSync(file, content.join('\n'));
      const error = await rejection(open());
      expect(error.code).toBe('audit_failed');
      expect(error.message).toMatch(
        new RegExp(`entry ${n} of the audit log is bad: line ${n} of audit-000001.jsonl`),
      );
      expect(readFileSync(file, 'utf8')).toBe(content.join('\n'));
    }
  });

  it('refuses a log with a file missing, or one whose full file has no whole end', async () => {
    await writeLog(log, 4, 1);
    renameSync(join(log, 'audit-000002.jsonl'), join(log, 'away'));
    expect((await rejection(open())).message).toMatch(/file of the audit log .* is missing/);
    renameSync(join(log, 'away'), join(log, 'audit-000002.jsonl'));
    truncateSync(join(log, 'audit-000003.jsonl'), statSync(join(log, 'audit-000003.jsonl')).size - 3);
    expect((await rejection(open())).message).toMatch(/last entry of audit-000003.jsonl/);
  });

  it('fails and stays failed when its file is removed, replaced, cut or added to [A4]', async () => {
    const harms: readonly (() => void)[] = [
      () => rmSync(log, { recursive: true }),
      () => rmSync(file),
      () => {
        const content = readFileSync(file);
        rmSync(file);
        writeFileSync(file, content);
      },
      () => truncateSync(file, 10),
      () => appendFileSync(file, 'x'),
    ];
    for (const harm of harms) {
      rmSync(log, { recursive: true, force: true });
      const audit = await open();
      await audit.append([proposed('a')]);
      harm();
      const meeting = [audit.append([proposed('b')]), audit.append([proposed('c')])];
      for (const each of meeting) expect((await rejection(each)).code).toBe('audit_failed');
      expect((await rejection(audit.append([proposed('d')]))).code).toBe('audit_failed');
      expect(audit.head.n).toBe(1);
      await audit.close();
    }
  });

  it('stays failed though its file is back [A4]', async () => {
    const audit = await open();
    renameSync(file, `${file}.away`);
    await rejection(audit.append([proposed('a')]));
    renameSync(`${file}.away`, file);
    expect((await rejection(audit.append([proposed('b')]))).code).toBe('audit_failed');
    await audit.close();
    const again = await open();
    expect((await again.append([proposed('c')]))[0]?.n).toBe(1);
    await again.close();
  });

  // One thread in the pool: strace counts calls by thread. The first one is that of the file of
  // checkpoints.
  it.skipIf(!canTrace)('fails and stays failed when the disk fails once [A4]', () => {
    const trace = [
      '-f',
      '-qq',
      '-o',
      '/dev/null',
      '-e',
      'trace=fdatasync',
      '-e',
      'inject=fdatasync:error=EIO:when=5',
    ];
    const run = spawnSync('strace', [...trace, process.execPath, ...CHILD, log, '20'], {
      encoding: 'utf8',
      env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
    });
    expect(run.stdout.trim().split('\n')).toEqual(['3', '6', '9', ...Array(4).fill('audit_failed')]);
  });

  it('verifies and has every acknowledged entry after kill -9 [U1]', async () => {
    for (let round = 1; round <= 3; round++) {
      const child = spawn(process.execPath, [...CHILD, log], { stdio: ['ignore', 'pipe', 'inherit'] });
      let output = '';
      for await (const chunk of child.stdout.setEncoding('utf8')) {
        output += String(chunk);
        if (output.length > 500 * round) break;
      }
      const closed = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
      child.kill('SIGKILL');
      await closed;
      const acknowledged = Number(output.slice(0, output.lastIndexOf('\n')).split('\n').at(-1));
      const audit = await open();
      await audit.close();
      expect(acknowledged).toBeGreaterThan(0);
      const found = await verifyAuditLog(log);
      expect(found.ok).toBe(true);
      expect(found.entries).toBeGreaterThanOrEqual(acknowledged);
    }
  });
});
