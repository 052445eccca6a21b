import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BulkheadError } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAuditLog } from '../audit-log.ts';
import { leafHash } from '../merkle/tree-hash.ts';
import { noTimers, proposed, temporaryFolder, withClock, writeLog } from '../testing.ts';
import { verifyAuditLog } from '../verify/verify-audit-log.ts';
import { checkpointBody, NO_CHECKPOINT, parseCheckpoint } from './checkpoint.ts';
import { makeSigningKey, readSigningKey } from './signing-key.ts';
import { parseVerifierKey } from './verifier-key.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder[Symbol.dispose]());

const content = { size: 7, root: leafHash('a'), time: '2026-01-01T00:00:00.000Z', previous: NO_CHECKPOINT };
const checkpointsIn = (path: string) =>
  readFileSync(join(path, 'audit-000001.checkpoints'), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => parseCheckpoint(String(JSON.parse(line))));

describe('a checkpoint', () => {
  it('is a signed note that reads as it was written, and is refused with any character changed [U1]', () => {
    const key = makeSigningKey(folder.path);
    const signed = key.sign(content);
    expect(parseCheckpoint(signed.note)).toEqual(signed);
    expect(signed).toMatchObject({ ...content, origin: key.verifier.origin });
    expect(signed.note).toMatch(
      /^bulkhead-audit\/[0-9a-f]{16}\n7\n\S{44}\ntime \S+\nprevious A{43}=\n\n— \S+ \S+\n$/,
    );
    for (let at = 0; at < signed.note.length; at++) {
      const other = signed.note[at] === '1' ? '2' : '1';
      const changed = parseCheckpoint(signed.note.slice(0, at) + other + signed.note.slice(at + 1));
      expect(changed !== undefined && key.verifier.verifies(changed), `at ${at}`).toBe(false);
    }
  });

  it('says nothing that could be read as another one', () => {
    const body = checkpointBody({ ...content, origin: 'x\n9' });
    expect(parseCheckpoint(`${body}\n— x\n9 ${'A'.repeat(91)}=\n`)).toBeUndefined();
    const { note } = makeSigningKey(folder.path).sign(content);
    for (const size of ['07', '-1', '1e3', '']) {
      expect(parseCheckpoint(note.replace('\n7\n', `\n${size}\n`))).toBeUndefined();
    }
  });
});

describe('the key of a log', () => {
  it('is readable by the user only, and its public half tells whose it is', () => {
    const key = makeSigningKey(folder.path);
    expect(statSync(join(folder.path, 'checkpoint-key.pem')).mode & 0o777).toBe(0o600);
    const text = readFileSync(join(folder.path, 'checkpoint-key.pub'), 'utf8').trimEnd();
    expect(parseVerifierKey(text)?.verifies(key.sign(content))).toBe(true);
    for (let at = 0; at < text.length; at++) {
      const other = text[at] === '0' ? '1' : '0';
      expect(parseVerifierKey(text.slice(0, at) + other + text.slice(at + 1))).toBeUndefined();
    }
  });

  it('is never made anew under what it signed, nor believed if it did not sign it', () => {
    const key = makeSigningKey(folder.path);
    const last = key.sign(content);
    using other = temporaryFolder();
    const refused = (path: string, signed: Parameters<typeof readSigningKey>[1]) => {
      try {
        readSigningKey(path, signed);
      } catch (error) {
        return BulkheadError.is(error) && error.code === 'audit_failed';
      }
      return false;
    };
    expect(refused(other.path, { neverSigned: false, last })).toBe(true);
    expect(readSigningKey(other.path, { neverSigned: true })).toBeUndefined();
    makeSigningKey(other.path);
    expect(refused(other.path, { neverSigned: false, last })).toBe(true);
    expect(refused(other.path, { neverSigned: true })).toBe(true);
    expect(readSigningKey(folder.path, { neverSigned: false, last })?.verifier.text).toBe(key.verifier.text);
  });
});

describe('signing', () => {
  it('comes with each 64 entries, and a second after fewer [FR8]', async () => {
    const log = await openAuditLog(folder.path, { ...withClock, timers: noTimers });
    for (let n = 0; n < 63; n++) await log.append([proposed('a')]);
    expect(checkpointsIn(folder.path)).toEqual([]);
    await log.append([proposed('a')]);
    await expect.poll(() => checkpointsIn(folder.path).at(-1)?.size).toBe(64);
    await log.close();

    using other = temporaryFolder();
    const soon: (() => void)[] = [];
    const waits: number[] = [];
    const timers = {
      after: (ms: number, run: () => void) => {
        waits.push(ms);
        soon.push(run);
        return { [Symbol.dispose]: () => {} };
      },
    };
    const slow = await openAuditLog(other.path, { ...withClock, timers });
    await slow.append([proposed('a')]);
    await slow.append([proposed('b')]);
    expect(waits).toEqual([1_000]);
    soon[0]?.();
    await expect.poll(() => checkpointsIn(other.path).at(-1)?.size).toBe(2);
    await slow.close();
  });

  it('leaves nothing unsigned when the log closes, and names the checkpoint before [FR8]', async () => {
    await writeLog(folder.path, 3);
    await writeLog(folder.path, 2);
    const [first, second] = checkpointsIn(folder.path);
    expect([first?.size, second?.size]).toEqual([3, 5]);
    expect(second?.previous).not.toBe(NO_CHECKPOINT);
  });
});

describe('the proof of an action', () => {
  it('stays one line, whatever is in it: nothing can be made to look like an entry of its own [FT87]', async () => {
    const evil = 'x\n{"action":"forged"}\r\n\u2028\u0085\u0000"},{"v":1';
    const log = await openAuditLog(folder.path, { ...withClock, timers: noTimers });
    const input = {
      ...proposed(evil),
      hash: evil,
      session: evil,
      tool: evil,
      details: { [evil]: evil, list: [evil] },
    };
    await log.append([input]);
    await log.close();
    const text = readFileSync(join(folder.path, 'audit-000001.jsonl'), 'utf8');
    expect(text.match(/[\n\r]/g)).toHaveLength(1);
    expect(JSON.parse(text)).toMatchObject({ n: 1, action: evil, session: evil, tool: evil });
  });
});

describe('signing that meets writing', () => {
  it('never signs twice at once, whatever is appended while a file is begun or a log closes', async () => {
    const slow = { deliver: 0 };
    const witness = {
      name: 'failing',
      deliver: async () => {
        slow.deliver += 1;
        throw new Error('no');
      },
      latest: async () => undefined,
    };
    const witnessing = { witnesses: [witness], onProblem: 'warn' as const, timeoutMs: 1_000, warn: () => {} };
    for (let round = 0; round < 3; round++) {
      const log = await openAuditLog(folder.path, { ...withClock, rotateBytes: 9_000, witnessing });
      const appended = Array.from({ length: 300 }, () => log.append([proposed('a')]));
      await Promise.all(appended.slice(0, 100));
      await Promise.all([log.close(), ...appended]);
      expect(await verifyAuditLog(folder.path, { chain: true })).toMatchObject({
        ok: true,
        entries: log.head.n,
        signed: { to: log.head.n },
      });
    }
    expect(slow.deliver).toBeGreaterThan(0);
  });
});
