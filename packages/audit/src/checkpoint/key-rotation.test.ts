import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { sweepOf } from '@bulkhead/testkit/sweep';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAuditLog } from '../audit-log.ts';
import { leafHash } from '../merkle/tree-hash.ts';
import { proveAction } from '../proof/prove-action.ts';
import { noTimers, proposed, rejection, temporaryFolder, withClock } from '../testing.ts';
import { verifyAuditLog } from '../verify/verify-audit-log.ts';
import { fileWitness } from '../witness/file-witness.ts';
import { type Checkpoint, checkpointBody, checkpointHash, noteText, parseCheckpoint } from './checkpoint.ts';
import { noteLine, parseNoteLine } from './checkpoint-file.ts';
import { makeSigningKey, readSigningKey, type SigningKey } from './signing-key.ts';

const STANDALONE = join(import.meta.dirname, '../../standalone/verify.mjs');
const CHECKPOINTS = 'audit-000001.checkpoints';

let place: ReturnType<typeof temporaryFolder>;
let folder: string;
let witness: string;
beforeEach(() => {
  place = temporaryFolder();
  folder = join(place.path, 'log');
  witness = join(place.path, 'witness');
});
afterEach(() => place[Symbol.dispose]());

const file = (name: string) => join(folder, name);
const publicKey = () => readFileSync(file('checkpoint-key.pub'), 'utf8').trimEnd();
const linesOf = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n');
const witnessNotes = () => [
  { name: 'witness', notes: linesOf(witness).map((line) => String(JSON.parse(line))) },
];

/** Appends entries, changes the key if asked to, appends more. */
async function write(rotations: number, rotateBytes = 1 << 20): Promise<void> {
  const witnessing = {
    witnesses: [fileWitness(witness)],
    onProblem: 'halt' as const,
    timeoutMs: 10_000,
    warn: () => {},
  };
  const log = await openAuditLog(folder, { ...withClock, timers: noTimers, rotateBytes, witnessing });
  await log.append([proposed('a1'), proposed('a2')]);
  for (let count = 0; count < rotations; count += 1) {
    await log.rotateKey();
    await log.append([proposed('a3')]);
  }
  await log.close();
}

function standalone(...args: readonly string[]) {
  const { status, stdout } = spawnSync(process.execPath, [STANDALONE, folder, ...args], { encoding: 'utf8' });
  return { status, stdout };
}

/** The key whose private half is in this file. */
function keyIn(path: string): SigningKey {
  using other = temporaryFolder();
  copyFileSync(path, join(other.path, 'checkpoint-key.pem'));
  const key = readSigningKey(other.path, { neverSigned: false });
  if (key === undefined) throw new Error('there is no key');
  return key;
}

describe('a log whose key was changed', () => {
  it('is verified by any of its keys, over files and restarts, and by its witness [U1] [FR8]', async () => {
    await write(0);
    const keys = [publicKey()];
    for (const rotations of [1, 2]) {
      await write(rotations, 1_500);
      keys.push(publicKey());
    }
    expect(new Set(keys).size).toBe(3);
    await write(0, 1_500);
    expect(existsSync(file('audit-000003.checkpoints'))).toBe(true);
    for (const key of [undefined, ...keys]) {
      const found = await verifyAuditLog(folder, { ...(key && { key }), witnesses: witnessNotes() });
      expect(found).toMatchObject({ ok: true, signed: { key: publicKey(), to: found.entries } });
      expect(standalone('--witness', witness, ...(key ? ['--key', key] : [])).status).toBe(0);
    }
    const steps = ['audit-000001.jsonl', 'audit-000002.jsonl', 'audit-000003.jsonl']
      .flatMap((name) => linesOf(file(name)))
      .map((line) => JSON.parse(line).step);
    expect(steps.filter((step) => step === 'KEY_CHANGE')).toHaveLength(3);
  });

  it('keeps nothing of the old private key, and proves with the new one', async () => {
    await write(0);
    const before = readFileSync(file('checkpoint-key.pem'), 'utf8');
    await write(1);
    expect(readFileSync(file('checkpoint-key.pem'), 'utf8')).not.toBe(before);
    expect(existsSync(file('checkpoint-key.next.pem'))).toBe(false);
    expect(statSync(file('checkpoint-key.pem')).mode & 0o777).toBe(0o600);
    const path = join(place.path, 'proof.json');
    writeFileSync(path, JSON.stringify(await proveAction(folder, 'a3')));
    expect(spawnSync(process.execPath, [STANDALONE, '--proof', path]).status).toBe(0);
  });

  it('is not verified by a key that it never had [FT85]', async () => {
    await write(1);
    using other = temporaryFolder();
    const key = makeSigningKey(other.path).verifier.text;
    expect(await verifyAuditLog(folder, { key })).toMatchObject({
      ok: false,
      firstBad: { file: CHECKPOINTS, line: 2, reason: "its signature is not one of this log's key" },
    });
    expect(standalone('--key', key)).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/none of the keys/),
    });
  });
});

describe('a change of keys that was cut off', () => {
  /** The log before the change, and after. */
  async function cutOff(): Promise<{ readonly secret: string; readonly pub: string }> {
    await write(0);
    const secret = readFileSync(file('checkpoint-key.pem'), 'utf8');
    const pub = `${publicKey()}\n`;
    await write(1);
    truncateAfterChange();
    return { secret, pub };
  }

  /** The change was signed last. */
  function truncateAfterChange(): void {
    const lines = linesOf(file(CHECKPOINTS));
    const at = lines.findIndex((line) => line.includes('key-to'));
    writeFileSync(
      file(CHECKPOINTS),
      lines
        .slice(0, at + 1)
        .map((line) => `${line}\n`)
        .join(''),
    );
    rmSync(witness);
  }

  it('before anybody said so is forgotten', async () => {
    await write(0);
    const pub = publicKey();
    copyFileSync(file('checkpoint-key.pem'), file('checkpoint-key.next.pem'));
    await write(0);
    expect(publicKey()).toBe(pub);
    expect((await verifyAuditLog(folder)).ok).toBe(true);
  });

  it.each([
    ['both files are the old ones', ['secret', 'pub']],
    ['the public half is the old one', ['pub']],
  ])('is brought to its end where %s [FT86]', async (_where, old) => {
    const { secret, pub } = await cutOff();
    const next = publicKey();
    if (old.includes('secret')) {
      copyFileSync(file('checkpoint-key.pem'), file('checkpoint-key.next.pem'));
      writeFileSync(file('checkpoint-key.pem'), secret);
    }
    writeFileSync(file('checkpoint-key.pub'), pub);
    await write(0);
    expect(publicKey()).toBe(next);
    expect(existsSync(file('checkpoint-key.next.pem'))).toBe(false);
    expect((await verifyAuditLog(folder, { key: pub.trimEnd() })).ok).toBe(true);
  });

  it('and whose new key is lost keeps the engine from starting', async () => {
    const { secret, pub } = await cutOff();
    writeFileSync(file('checkpoint-key.pem'), secret);
    writeFileSync(file('checkpoint-key.pub'), pub);
    expect((await rejection(write(0))).message).toMatch(/signs the audit log from now on is missing/);
  });

  it('in the middle of its line is as if it had not begun, at each byte [FT86]', async () => {
    const { secret, pub } = await cutOff();
    const whole = readFileSync(file(CHECKPOINTS));
    const start = whole.lastIndexOf('\n', -2) + 1;
    const log = readFileSync(file('audit-000001.jsonl'));
    for (let size = start + 1; size < whole.length; size += sweepOf(19, 1)) {
      writeFileSync(file('audit-000001.jsonl'), log);
      writeFileSync(file(CHECKPOINTS), whole);
      truncateSync(file(CHECKPOINTS), size);
      writeFileSync(file('checkpoint-key.pem'), secret);
      writeFileSync(file('checkpoint-key.pub'), pub);
      rmSync(witness, { force: true });
      await write(0);
      expect((await verifyAuditLog(folder, { key: pub.trimEnd() })).ok, `at ${size}`).toBe(true);
    }
  });
});

describe('who stole the key before it was changed', () => {
  let stolen: SigningKey;
  let before: string;
  beforeEach(async () => {
    await write(0);
    stolen = keyIn(file('checkpoint-key.pem'));
    before = publicKey();
    await write(1);
  });

  const last = () => parseNoteLine(linesOf(file(CHECKPOINTS)).at(-1) ?? '');

  /** Continues to sign as if nothing had changed. */
  function forgeTail(): number {
    const lines = linesOf(file(CHECKPOINTS));
    const previous = parseNoteLine(lines.at(-2) ?? '');
    const forged = last();
    if (forged === undefined || previous === undefined) throw new Error('there are no checkpoints');
    const { note } = stolen.sign({ ...forged, previous: checkpointHash(previous.note) });
    writeFileSync(
      file(CHECKPOINTS),
      [...lines.slice(0, -1), noteLine(note)].map((line) => `${line}\n`).join(''),
    );
    return lines.length;
  }

  it('can not sign what comes after: the first such checkpoint is named, by both verifiers [FT85]', async () => {
    const line = forgeTail();
    for (const key of [before, publicKey()]) {
      const found = await verifyAuditLog(folder, { key });
      expect(found).toMatchObject({ ok: false, firstBad: { file: CHECKPOINTS, line } });
      expect(found.firstBad?.reason).toMatch(/signed by a key that was replaced after entry \d+/);
      expect(standalone('--key', key)).toMatchObject({
        status: 1,
        stdout: expect.stringMatching(new RegExp(`${CHECKPOINTS}, line ${line}: .*replaced`)),
      });
    }
  });

  it('can not give a witness such a one [FT85]', async () => {
    const now = last();
    if (now === undefined) throw new Error('there is no checkpoint');
    const { note } = stolen.sign({ ...now });
    writeFileSync(witness, `${JSON.stringify(note)}\n`, { flag: 'a' });
    const line = linesOf(witness).length;
    expect(await verifyAuditLog(folder, { witnesses: witnessNotes() })).toMatchObject({
      firstBad: { file: 'witness', line, reason: expect.stringMatching(/replaced/) },
    });
    expect(standalone('--witness', witness).status).toBe(1);
    expect((await rejection(write(0))).message).toMatch(/another audit log/);
  });

  it('hands the log on by no signature of its own in the place of the new key’s, though all else is true [FT85]', async () => {
    const lines = linesOf(file(CHECKPOINTS));
    const at = lines.findIndex((line) => line.includes('key-to'));
    const change = parseNoteLine(lines[at] ?? '');
    if (change === undefined) throw new Error('there is no change');
    const body = checkpointBody(change);
    const own = noteText(body, change.origin, [change.signatures[0] ?? '', stolen.signature(body)]);
    writeFileSync(file(CHECKPOINTS), lines.with(at, noteLine(own)).join('\n').concat('\n'));
    const firstBad = { file: CHECKPOINTS };
    for (const key of [before, publicKey()]) {
      expect(await verifyAuditLog(folder, { key })).toMatchObject({ ok: false, firstBad });
      expect(standalone('--key', key).status).toBe(1);
    }
  });

  it('can not write another history and hand it to the true new key, which did not sign it [FT85]', async () => {
    const lines = linesOf(file(CHECKPOINTS));
    const at = lines.findIndex((line) => line.includes('key-to'));
    const true_ = parseNoteLine(lines[at] ?? '');
    if (true_ === undefined) throw new Error('there is no change');
    const content: Checkpoint = { ...true_, root: leafHash('another history') };
    const body = checkpointBody(content);
    const signatures = [stolen.signature(body), true_.signatures[1] ?? ''];
    const note = noteText(body, true_.origin, signatures);
    expect(parseCheckpoint(note)).toBeDefined();
    writeFileSync(
      file(CHECKPOINTS),
      [...lines.slice(0, at), noteLine(note)].map((line) => `${line}\n`).join(''),
    );
    for (const key of [before, publicKey()]) {
      expect(await verifyAuditLog(folder, { key })).toMatchObject({
        ok: false,
        firstBad: { file: CHECKPOINTS },
      });
      expect(standalone('--key', key).status).toBe(1);
    }
  });
});
