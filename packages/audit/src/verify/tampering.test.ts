import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { shareOf, sweepOf, sweepsAreWhole } from '@bulkhead/testkit/sweep';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openAuditLog } from '../audit-log.ts';
import { sealEntry } from '../chain.ts';
import { noTimers, proposed, temporaryFolder, withClock, writeLog } from '../testing.ts';
import { fileWitness } from '../witness/file-witness.ts';
import { verifyAuditLog } from './verify-audit-log.ts';

/*
 * One log in three files, signed every four entries; each attack changes a copy of it, which both
 * verifiers check: the package's, and the standalone one, which shares no code with it.
 */
const COUNT = 24;
const STANDALONE = join(import.meta.dirname, '../../standalone/verify.mjs');

let place: ReturnType<typeof temporaryFolder>;
let original: string;
let copy: string;
let witness: string;

beforeAll(async () => {
  place = temporaryFolder();
  original = join(place.path, 'original');
  witness = join(place.path, 'witness');
  for (let round = 0; round < COUNT / 4; round++) await writeWitnessed(original, 4);
});
afterAll(() => place[Symbol.dispose]());
beforeEach(() => {
  copy = join(place.path, 'copy');
  rmSync(copy, { recursive: true, force: true });
  cpSync(original, copy, { recursive: true });
});

async function writeWitnessed(folder: string, count: number, path = witness): Promise<void> {
  const witnessing = {
    witnesses: [fileWitness(path)],
    onProblem: 'halt' as const,
    timeoutMs: 10_000,
    warn: () => {},
  };
  const log = await openAuditLog(folder, { ...withClock, timers: noTimers, rotateBytes: 3_000, witnessing });
  for (let n = 1; n <= count; n++) await log.append([proposed(`a${n}`)]);
  await log.close();
}

const notes = (path = witness) => ({
  name: 'witness',
  notes: readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => String(JSON.parse(line))),
});
const files = () => readdirSync(copy).filter((name) => name.endsWith('.jsonl'));
const linesOf = (name: string) => readFileSync(join(copy, name), 'utf8').trimEnd().split('\n');
const write = (name: string, lines: readonly string[]) =>
  writeFileSync(join(copy, name), lines.map((line) => `${line}\n`).join(''));

function standalone(...args: readonly string[]) {
  const { status, stdout } = spawnSync(process.execPath, [STANDALONE, copy, ...args], { encoding: 'utf8' });
  return { status, stdout };
}

/** Both must report entry `n` as bad, or no problem before it. */
async function expectBad(n: number, reason: RegExp, isExact = true): Promise<void> {
  const found = await verifyAuditLog(copy);
  expect(found).toMatchObject({
    ok: false,
    entries: n - 1,
    firstBad: { n, reason: expect.stringMatching(reason) },
  });
  // A process for each would take minutes.
  if (n % sweepOf(12, 4) !== 0) return;
  const { status, stdout } = standalone();
  expect({ status, stdout }).toEqual({ status: 1, stdout: expect.stringMatching(/^BAD: /) });
  if (isExact) expect(stdout).toMatch(new RegExp(`\\(entry ${n}\\)|entries ${n} to`));
}

/**
 * Entries of the log with file, index of the line and number: the first, both sides of each border
 * between files, the last, and some between them; or all.
 */
function triedEntries(): readonly { readonly file: string; readonly at: number; readonly n: number }[] {
  const all = files()
    .flatMap((file) => linesOf(file).map((_line, at) => ({ file, at })))
    .map((entry, index) => ({ ...entry, n: index + 1 }));
  const isAtBorder = (index: number) => all[index - 1]?.file !== all[index + 1]?.file;
  const between = new Set(shareOf(all, 4));
  return sweepsAreWhole ? all : all.filter((entry, index) => isAtBorder(index) || between.has(entry));
}

const restore = (file: string) => copyFileSync(join(original, file), join(copy, file));

describe('a log that was tampered with', () => {
  it('the control: both verifiers find nothing on what was not', async () => {
    expect(files().length).toBeGreaterThan(2);
    const found = await verifyAuditLog(copy, { witnesses: [notes()] });
    expect(found).toMatchObject({ ok: true, signed: { to: found.entries } });
    expect(found.entries).toBeGreaterThanOrEqual(COUNT);
    expect(standalone('--witness', witness).status).toBe(0);
  });

  it('edited: every entry is located exactly [FT84]', async () => {
    for (const { file, at, n } of triedEntries()) {
      const lines = linesOf(file);
      write(file, lines.with(at, (lines[at] ?? '').replace('"v":1}', '"v":1 }')));
      await expectBad(n, /not an audit entry|content does not match/, false);
      write(file, lines.with(at, (lines[at] ?? '').replace(/"step":"[A-Z]/, '"step":"D')));
      await expectBad(n, /not an audit entry|content does not match/, false);
      restore(file);
    }
  });

  it('deleted: every entry is located exactly, the last ones by their checkpoint [FT84]', async () => {
    for (const { file, at, n } of triedEntries()) {
      write(file, linesOf(file).toSpliced(at, 1));
      await expectBad(n, /its number is|the log ends after/, false);
      restore(file);
    }
  });

  it('doubled, inserted, or in another order: every entry is located exactly [FT84]', async () => {
    for (const { file, at, n } of triedEntries()) {
      const lines = linesOf(file);
      write(file, lines.toSpliced(at, 0, lines[at] ?? ''));
      await expectBad(n + 1, /its number is/);
      write(file, lines.toSpliced(at, 0, '{}'));
      await expectBad(n, /not an audit entry/);
      const next = lines[at + 1];
      if (next !== undefined) {
        write(file, lines.with(at, next).with(at + 1, lines[at] ?? ''));
        await expectBad(n, /its number is/);
      }
      restore(file);
    }
  });

  it('an entry written anew and sealed is found even if it is the last one: the tree knows it [FT84]', async () => {
    for (const { file, at, n } of triedEntries()) {
      const lines = linesOf(file);
      const { self: _self, n: _n, prev, time, v: _v, ...input } = JSON.parse(lines[at] ?? '');
      const { line } = sealEntry({ ...input, tool: 'ls' }, { n: n - 1, self: prev }, Date.parse(time));
      write(file, lines.with(at, line));
      const { ok, firstBad } = await verifyAuditLog(copy);
      expect(ok).toBe(false);
      // The chain breaks at the next entry; after the last entry, the previous checkpoint narrows
      // down the place.
      expect(firstBad?.n).toBeLessThanOrEqual(n + 1);
      expect(firstBad?.n).toBeGreaterThan(n - 5);
      restore(file);
    }
  });

  it('a checkpoint changed, taken out, or in another order is found [U1]', async () => {
    const names = readdirSync(copy).filter((name) => name.endsWith('.checkpoints'));
    for (const file of names) {
      const lines = linesOf(file);
      for (let at = 0; at < lines.length; at++) {
        write(file, lines.with(at, (lines[at] ?? '').replace(/[A-Za-z](?=[^A-Za-z]*$)/, 'é')));
        expect((await verifyAuditLog(copy)).ok).toBe(false);
        expect(standalone().status).toBe(1);
      }
      // Only the witness reveals a removed last line of the last file.
      for (let at = 0; at < lines.length - (file === names.at(-1) ? 1 : 0); at++) {
        write(file, lines.toSpliced(at, 1));
        expect((await verifyAuditLog(copy)).ok, `${file} ${at}`).toBe(false);
      }
      restore(file);
    }
  });

  it('without its checkpoints, or without its key, is not taken for one that never had any [U1]', async () => {
    rmSync(join(copy, 'checkpoint-key.pub'));
    expect((await verifyAuditLog(copy)).firstBad?.reason).toMatch(/key .* is missing/);
    expect(standalone().status).toBe(1);
    cpSync(original, copy, { recursive: true });
    for (const name of readdirSync(copy)) if (name.endsWith('.checkpoints')) rmSync(join(copy, name));
    expect((await verifyAuditLog(copy)).firstBad?.reason).toMatch(/checkpoints are missing/);
    expect(standalone().status).toBe(1);
  });
});

describe('with all rights of the engine, but without those of the witness', () => {
  const both = async (path = witness) => ({
    alone: (await verifyAuditLog(copy)).ok,
    witnessed: (await verifyAuditLog(copy, { witnesses: [notes(path)] })).ok,
    standalone: standalone('--witness', path).status,
  });

  it('cutting the tail off, with its checkpoints, is found [FT85]', async () => {
    const last = files().at(-1) ?? '';
    const checkpoints = last.replace('.jsonl', '.checkpoints');
    const kept = linesOf(checkpoints).slice(0, -1);
    const size =
      kept.length === 1
        ? JSON.parse(kept[0] ?? '').size
        : Number(JSON.parse(kept.at(-1) ?? '').split('\n')[1]);
    write(checkpoints, kept);
    const first = JSON.parse(linesOf(last)[0] ?? '').n;
    write(last, linesOf(last).slice(0, size - first + 1));
    expect(await both()).toEqual({ alone: true, witnessed: false, standalone: 1 });
  });

  it('putting back an old backup is found, by the engine too [FT85]', async () => {
    const backup = join(place.path, 'backup');
    rmSync(backup, { recursive: true, force: true });
    cpSync(original, backup, { recursive: true });
    const path = join(place.path, 'witness-of-more');
    copyFileSync(witness, path);
    await writeWitnessed(copy, 3, path);
    expect(await both(path)).toEqual({ alone: true, witnessed: true, standalone: 0 });
    rmSync(copy, { recursive: true });
    cpSync(backup, copy, { recursive: true });
    expect(await both(path)).toEqual({ alone: true, witnessed: false, standalone: 1 });
    await expect(writeWitnessed(copy, 1, path)).rejects.toThrow(/saw another audit log than this one/);
  });

  it('another history from a point on, signed with the stolen key, is found [FT85]', async () => {
    const path = join(place.path, 'witness-of-fork');
    copyFileSync(witness, path);
    const fork = join(place.path, 'fork');
    rmSync(fork, { recursive: true, force: true });
    cpSync(original, fork, { recursive: true });
    await writeWitnessed(copy, 4, path);
    // The same key, other entries, no witness; first as long as the real log, then longer.
    for (const more of [4, 9]) {
      const log = await openAuditLog(fork, { ...withClock, rotateBytes: 3_000 });
      for (let n = 0; n < more; n++) await log.append([proposed(`forged${n}`)]);
      await log.close();
      rmSync(copy, { recursive: true });
      cpSync(fork, copy, { recursive: true });
      expect(await both(path)).toEqual({ alone: true, witnessed: false, standalone: 1 });
    }
  });

  it('writing the whole log anew is found, with the old key or another one [FT85]', async () => {
    const [key, pub] = ['checkpoint-key.pem', 'checkpoint-key.pub'].map((name) =>
      readFileSync(join(copy, name)),
    );
    rmSync(copy, { recursive: true });
    await writeLog(copy, 40, 3_000);
    expect(await both()).toEqual({ alone: true, witnessed: false, standalone: 1 });
    rmSync(copy, { recursive: true });
    mkdirSync(copy);
    // Only a header: the key looks unused.
    writeFileSync(join(copy, 'audit-000001.checkpoints'), '{"v":1,"size":0,"roots":[]}\n');
    writeFileSync(join(copy, 'checkpoint-key.pem'), key ?? '');
    writeFileSync(join(copy, 'checkpoint-key.pub'), pub ?? '');
    await writeLog(copy, 40, 3_000);
    expect(await both()).toEqual({ alone: true, witnessed: false, standalone: 1 });
  });

  it('a whole history up to a change of keys, forged with the old key that was stolen, is found [FT85]', async () => {
    const path = join(place.path, 'witness-of-change');
    copyFileSync(witness, path);
    const [key, pub] = ['checkpoint-key.pem', 'checkpoint-key.pub'].map((name) =>
      readFileSync(join(copy, name)),
    );
    const changed = async (more: number): Promise<void> => {
      const log = await openAuditLog(copy, { ...withClock, timers: noTimers, rotateBytes: 3_000 });
      for (let n = 0; n < more; n++) await log.append([proposed(`b${n}`)]);
      await log.rotateKey();
      await log.append([proposed('after')]);
      await log.close();
    };
    // The real log: its key changes, and the witness sees that.
    await changed(0);
    await writeWitnessed(copy, 2, path);
    expect(await both(path)).toEqual({ alone: true, witnessed: true, standalone: 0 });
    for (const entries of [3, 40]) {
      rmSync(copy, { recursive: true });
      mkdirSync(copy);
      writeFileSync(join(copy, 'audit-000001.checkpoints'), '{"v":1,"size":0,"roots":[]}\n');
      writeFileSync(join(copy, 'checkpoint-key.pem'), key ?? '');
      writeFileSync(join(copy, 'checkpoint-key.pub'), pub ?? '');
      await changed(entries);
      expect(await both(path)).toEqual({ alone: true, witnessed: false, standalone: 1 });
    }
  });

  it('a witness whose last line is cut off is not taken for a whole one', async () => {
    const path = join(place.path, 'witness-cut');
    copyFileSync(witness, path);
    truncateSync(path, readFileSync(path).length - 20);
    expect(standalone('--witness', path).status).toBe(1);
  });
});
