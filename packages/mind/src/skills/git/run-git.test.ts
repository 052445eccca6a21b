import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { HAS_GIT } from '@bulkhead/testkit/git';
import { describe, expect, it } from 'vitest';
import { parseGitAddress } from './git-address.ts';
import { fetchFailed } from './git-failure.ts';
import { runGit } from './run-git.ts';

/** Most that one instruction of a delta copies, bytes. */
const PIECE = 0xff_ff_ff;
const BLOB = 3;
const REF_DELTA = 7;

describe.skipIf(!HAS_GIT)('the git that fetches skills (skipped where git is not installed)', () => {
  it('unpacks no kilobytes into gigabytes of memory [SK2] [FT66]', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bulkhead-git-'));
    try {
      const pack = packOfCopies(256);
      expect(pack.byteLength).toBeLessThan(20_000);
      writeFileSync(join(folder, 'bomb.pack'), pack);
      const { signal } = new AbortController();
      const place = { folder, scheme: 'https', env: { PATH: process.env['PATH'] }, signal } as const;
      const { code, err } = await runGit(place, ['index-pack', 'bomb.pack'], 1_000);
      expect([code === 0, err]).toEqual([false, expect.stringContaining('over limit')]);
      expect(fetchFailed(parseGitAddress('https://example.org/mail'), err)).toMatchObject({
        code: 'blocked',
        message: 'https://example.org/mail holds a file that is too large to unpack',
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** A pack of two objects: zeros, and a delta that is `times` their copy. */
function packOfCopies(times: number): Buffer {
  const zeros = Buffer.alloc(PIECE);
  const id = createHash('sha1').update(`blob ${PIECE}\0`).update(zeros).digest();
  const copy = Buffer.from([0xf0, 0xff, 0xff, 0xff]);
  const delta = Buffer.concat([
    varint(PIECE),
    varint(times * PIECE),
    ...Array.from({ length: times }, () => copy),
  ]);
  const header = Buffer.alloc(12, 'PACK');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(2, 8);
  const body = Buffer.concat([
    header,
    objectHeader(BLOB, PIECE),
    deflateSync(zeros),
    objectHeader(REF_DELTA, delta.byteLength),
    id,
    deflateSync(delta),
  ]);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

/** Seven bits a byte, the lowest first. */
function varint(value: number): Buffer {
  const low = value % 128;
  const rest = Math.floor(value / 128);
  return rest === 0 ? Buffer.from([low]) : Buffer.concat([Buffer.from([low + 128]), varint(rest)]);
}

/** Its kind with the four lowest bits of the size, then seven bits a byte. */
function objectHeader(kind: number, size: number): Buffer {
  const rest = Math.floor(size / 16);
  const first = kind * 16 + (size % 16);
  return rest === 0 ? Buffer.from([first]) : Buffer.concat([Buffer.from([first + 128]), varint(rest)]);
}
