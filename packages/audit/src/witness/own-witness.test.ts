import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openAuditLog } from '../audit-log.ts';
import { noTimers, proposed, temporaryFolder, withClock, writeLog } from '../testing.ts';
import { verifyAuditLog } from '../verify/verify-audit-log.ts';
import type { Witness } from './witness.ts';

/** The user ids of the witness and the engine; neither needs to exist. */
const [WITNESS_UID, ENGINE_UID] = [65_533, 65_532];

/** Only root can change its user. */
const isRoot = process.geteuid?.() === 0;

function as(uid: number, program: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', program, ...args], {
    encoding: 'utf8',
    uid,
    gid: uid,
  });
  return { status, stdout, stderr };
}

const APPEND = `
  const fs = require('node:fs');
  fs.appendFileSync(process.argv[1], JSON.stringify(process.argv[2]) + '\\n', { mode: 0o644 });`;

/** Each way to change an existing file, directly or through its folder. */
const ATTACKS = `
  const fs = require('node:fs');
  const path = process.argv[1];
  const ways = {
    write: () => fs.writeFileSync(path, ''),
    append: () => fs.appendFileSync(path, 'x'),
    truncate: () => fs.truncateSync(path),
    remove: () => fs.unlinkSync(path),
    rename: () => fs.renameSync(path, path + '.old'),
    replace: () => { fs.writeFileSync(path + '.new', ''); fs.renameSync(path + '.new', path); },
    chmod: () => fs.chmodSync(path, 0o666),
    chown: () => fs.chownSync(path, process.getuid(), process.getgid()),
    folder: () => fs.renameSync(path + '/..', path + '/../../other'),
  };
  for (const [name, way] of Object.entries(ways)) {
    try { way(); console.log('did ' + name); } catch (error) { console.log('refused ' + name); }
  }
  console.log('read ' + fs.readFileSync(path, 'utf8').length);`;

it.skipIf(!isRoot)(
  'of another user can not be rewritten by the engine, and tells a log that was written anew (skipped where not root) [FR8] [FG7]',
  async () => {
    using place = temporaryFolder();
    chmodSync(place.path, 0o755);
    const folder = join(place.path, 'witness');
    mkdirSync(folder, { mode: 0o755 });
    spawnSync('chown', [`${WITNESS_UID}:${WITNESS_UID}`, folder]);
    const path = join(folder, 'checkpoints');
    const latest = () =>
      readFileSync(path, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => String(JSON.parse(line)));
    let isEmpty = true;
    const witness: Witness = {
      name: path,
      deliver: async (note) => {
        isEmpty = false;
        expect(as(WITNESS_UID, APPEND, path, note)).toMatchObject({ status: 0 });
      },
      latest: async () => (isEmpty ? undefined : latest().at(-1)),
    };
    const log = join(place.path, 'log');
    const witnessing = {
      witnesses: [witness],
      onProblem: 'halt' as const,
      timeoutMs: 10_000,
      warn: () => {},
    };
    const open = await openAuditLog(log, { ...withClock, timers: noTimers, witnessing });
    await open.append([proposed('a1')]);
    await open.close();
    expect(statSync(path).uid).toBe(WITNESS_UID);

    const before = readFileSync(path, 'utf8');
    const told = as(ENGINE_UID, ATTACKS, path).stdout.trimEnd().split('\n');
    expect(told.filter((line) => line.startsWith('did'))).toEqual([]);
    expect(told.filter((line) => line.startsWith('refused'))).toHaveLength(9);
    expect(told.at(-1)).toBe(`read ${before.length}`);
    expect(readFileSync(path, 'utf8')).toBe(before);
    // The control: its own user can do all of this.
    expect(as(WITNESS_UID, ATTACKS, path).stdout).toContain('did write');
    const notes = before
      .trimEnd()
      .split('\n')
      .map((line) => String(JSON.parse(line)));
    expect((await verifyAuditLog(log, { witnesses: [{ name: path, notes }] })).ok).toBe(true);
    // The engine's user is able to write another log.
    rmSync(log, { recursive: true });
    await writeLog(log, 9);
    expect((await verifyAuditLog(log)).ok).toBe(true);
    expect((await verifyAuditLog(log, { witnesses: [{ name: path, notes }] })).ok).toBe(false);
  },
);
