import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { shareOf, sweepOf, sweepsAreWhole } from '@bulkhead/testkit/sweep';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Stage } from './support/stage.ts';
import { Talk } from './support/talk.ts';
import { until } from './support/until.ts';
import { bash } from './support/waiting-command.ts';

const MESSAGES = ['m1', 'm2', 'm3', 'm4'];
/** Before the last command: it waits for the file `go`. An overlay remembers of a single name that it was not there. */
const WAIT = 'until ls | grep -qx go; do sleep 0.05; done; ';
const TIMEOUT_MS = 600_000;

interface Report {
  readonly ok: boolean;
  readonly text: string;
}

/** A home as a killed engine left it: four messages are settled, each did something once, and all of it lies in the write-ahead log. */
let stage: Stage;
let pristine: string;
let session: string;
/** The database as it was after the second message, after the third, and while the command of the last one ran. */
let older: string;
let newer: string;
let amid: string;

beforeAll(async () => {
  stage = new Stage();
  await stage.model(({ bodyText }) => {
    const asked = MESSAGES.findLast((id) => bodyText.includes(`do ${id}`)) ?? 'none';
    return bodyText.includes(`ran-${asked}`)
      ? { text: `did ${asked}` }
      : { toolCalls: [bash(`${asked === 'm4' ? WAIT : ''}echo ${asked} >> effects.log; echo ran-${asked}`)] };
  });
  const beside = (name: string): string => `${stage.layout.root}-${name}`;
  [pristine, older, newer, amid] = [beside('pristine'), beside('older'), beside('newer'), beside('amid')];
  {
    await using talk = await Talk.begin(stage);
    session = talk.session;
    for (const id of MESSAGES) {
      await talk.send(id, { content: `do ${id}` });
      if (id === 'm4') {
        await until('the last command is announced', () => count('action_intent') === 4 || undefined);
        keep(amid);
        writeFileSync(join(stage.folder, 'go'), '');
      }
      await talk.idleAfter(id);
      if (id === 'm2') keep(older);
      if (id === 'm3') keep(newer);
    }
  }
  await killAll();
  cpSync(stage.layout.root, pristine, { recursive: true, filter: isNoSocket });
}, TIMEOUT_MS);

afterAll(async () => {
  for (const kept of [pristine, older, newer, amid]) rmSync(kept, { recursive: true, force: true });
  await stage[Symbol.asyncDispose]();
}, TIMEOUT_MS);

const isNoSocket = (path: string): boolean => statSync(path).isFile() || statSync(path).isDirectory();
const database = (): string => stage.layout.database;
const log = (): string => `${stage.layout.database}-wal`;

/** Copies the files that a backup program would take. */
function keep(path: string): void {
  const copy = new DatabaseSync(database(), { readOnly: true });
  copy.prepare('VACUUM INTO ?').run(path);
  copy.close();
}

/** @param path undefined: the database is gone */
function putBack(path: string | undefined): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${database()}${suffix}`, { force: true });
  if (path !== undefined) cpSync(path, database());
}

/** How many records of a type there are. */
function count(type: string): number {
  const opened = new DatabaseSync(database(), { readOnly: true });
  try {
    const row = opened.prepare('SELECT count(*) AS count FROM records WHERE type = ?').get(type);
    return Number(row?.['count']);
  } finally {
    opened.close();
  }
}

async function start(): Promise<void> {
  expect((await stage.cli(['start', '--daemon'], { timeoutMs: 120_000 })).code).toBe(0);
}

/** Both at once: neither the supervisor nor an orderly end gets to do anything. */
async function killAll(): Promise<void> {
  const { supervisor, engine } = await stage.status();
  process.kill(supervisor, 'SIGSTOP');
  process.kill(engine, 'SIGKILL');
  process.kill(supervisor, 'SIGKILL');
}

function restore(): void {
  rmSync(stage.layout.root, { recursive: true, force: true });
  cpSync(pristine, stage.layout.root, { recursive: true });
}

async function doctor(): Promise<Report> {
  const { stdout, code } = await stage.cli(['doctor', '--json'], { timeoutMs: 120_000 });
  const { ok } = JSON.parse(stdout);
  expect(code).toBe(ok ? 0 : 1);
  return { ok, text: stdout };
}

/** Messages that the database says were accepted. */
function accepted(): readonly string[] {
  if (!existsSync(database())) return [];
  const opened = new DatabaseSync(database(), { readOnly: true });
  try {
    const rows = opened.prepare("SELECT message_id FROM records WHERE type = 'input_accepted'").all();
    return rows.map((row) => String(row['message_id']));
  } catch {
    return [];
  } finally {
    opened.close();
  }
}

function effects(): readonly string[] {
  return readFileSync(join(stage.folder, 'effects.log'), 'utf8').trimEnd().split('\n');
}

/**
 * The oracle: each result that a client received exists or is named; nothing is done twice.
 *
 * @returns true if something was named
 */
async function judge(): Promise<boolean> {
  const before = await doctor();
  const begun = await stage.cli(['start', '--daemon'], { timeoutMs: 120_000 });
  const there = accepted();
  const lost = MESSAGES.filter((id) => !there.includes(id));
  if (begun.code !== 0) {
    expect(before.ok).toBe(false);
    return true;
  }
  const after = await doctor();
  for (const id of lost) {
    expect(before.text).toContain(`message ${id}`);
    expect(after.text).toContain(`message ${id}`);
  }
  expect(after.ok).toBe(before.ok);
  if (!before.ok) {
    // It can be read, and takes nothing before a person has decided.
    const sent = await stage.cli(['run', '--session', session, 'go on'], { timeoutMs: 60_000 });
    expect(sent.code).not.toBe(0);
  }
  expect(effects()).toEqual(MESSAGES);
  await stage.cli(['stop'], { timeoutMs: 60_000 });
  return !before.ok;
}

describe('a home whose session log was damaged while no engine ran', () => {
  it(
    'is sound after kill -9: nothing is accused [S4]',
    async () => {
      restore();
      expect(await judge()).toBe(false);
      expect(accepted()).toEqual(MESSAGES);
    },
    TIMEOUT_MS,
  );

  it(
    'names what is missing when the write-ahead log is cut, and does nothing again [S4] [FG4] [FT82]',
    async () => {
      const size = statSync(log()).size || statSync(`${pristine}/state/bulkhead.db-wal`).size;
      let named = 0;
      for (const share of sweepsAreWhole ? [0, 0.2, 0.5, 0.8, 0.95, 0.999] : [0.2]) {
        restore();
        truncateSync(log(), Math.floor(size * share));
        if (await judge()) named += 1;
      }
      expect(named).toBeGreaterThanOrEqual(sweepOf(1, 5));
    },
    TIMEOUT_MS,
  );

  it(
    'names what is missing when pages of it are flipped or zeroed, or it is deleted [S4] [FT82]',
    async () => {
      const place = (bytes: Buffer, share: number): number => Math.floor(bytes.length * share);
      const flip = (bytes: Buffer, at: number): void => {
        bytes[at] = (bytes[at] ?? 0) ^ 1;
      };
      const damages: ReadonlyArray<(bytes: Buffer) => void> = [
        (bytes) => flip(bytes, place(bytes, 0.3)),
        (bytes) => flip(bytes, place(bytes, 0.7)),
        (bytes) => void bytes.fill(0, place(bytes, 0.6), place(bytes, 0.6) + 4096),
      ];
      for (const damage of shareOf(damages, 1)) {
        restore();
        const bytes = readFileSync(log());
        damage(bytes);
        writeFileSync(log(), bytes);
        expect(await judge()).toBe(true);
      }
      restore();
      for (const suffix of ['-wal', '-shm']) rmSync(`${database()}${suffix}`, { force: true });
      expect(await judge()).toBe(true);
    },
    TIMEOUT_MS,
  );

  it(
    'names what is missing when an older copy is put back, or the database is gone [S4]',
    async () => {
      restore();
      putBack(older);
      expect(await judge()).toBe(true);
      restore();
      putBack(undefined);
      expect(await judge()).toBe(true);
    },
    TIMEOUT_MS,
  );

  it(
    'goes on after a person has accepted the loss, and asks before it does a named action again [T8]',
    async () => {
      restore();
      truncateSync(log(), Math.floor(statSync(log()).size * 0.5));
      const damaged = readFileSync(log());
      const start = await stage.cli(['start', '--daemon'], { timeoutMs: 120_000 });
      expect(start).toMatchObject({ code: 0, stdout: expect.stringContaining('message m4') });
      // The files that the start found damaged are kept unchanged, until a person removes them.
      const [, name = ''] = /bulkhead doctor --remove-copy (\S+)` removes it/.exec(start.stdout) ?? [];
      expect(readFileSync(join(stage.layout.damaged, name, 'bulkhead.db-wal'))).toEqual(damaged);
      expect((await doctor()).text).toContain(name);
      expect(await stage.cli(['doctor', '--remove-copy', '../audit'])).toMatchObject({ code: 1 });
      expect(await stage.cli(['doctor', '--remove-copy', name])).toMatchObject({ code: 0 });
      expect((await doctor()).text).not.toContain(name);
      const accept = await stage.cli(['sessions', 'accept-loss', session]);
      expect(accept.stderr).toBe('');
      expect(accept).toMatchObject({ code: 0, stdout: expect.stringContaining('message m4') });
      expect((await doctor()).ok).toBe(true);
      // The same step again: no one can approve it here, so it is not done.
      await stage.cli(['run', '--session', session, 'do m4'], { timeoutMs: 60_000 });
      expect(effects()).toEqual(MESSAGES);
      await stage.cli(['stop'], { timeoutMs: 60_000 });
    },
    TIMEOUT_MS,
  );

  it(
    'names a second, deeper loss after the first was accepted, and what was accepted with it [S4] [FG4]',
    async () => {
      restore();
      putBack(newer);
      await start();
      const accept = await stage.cli(['sessions', 'accept-loss', session]);
      expect(accept.stderr).toBe('');
      expect(accept).toMatchObject({ code: 0, stdout: expect.stringContaining('message m4') });
      await stage.cli(['stop'], { timeoutMs: 60_000 });
      expect(await doctor()).toMatchObject({ ok: true });
      putBack(older);
      expect(await judge()).toBe(true);
    },
    TIMEOUT_MS,
  );

  it(
    'does not do a command again that the audit log says was executed, with database and scratch folders restored [T8]',
    async () => {
      restore();
      putBack(amid);
      rmSync(stage.layout.scratch, { recursive: true, force: true });
      await start();
      expect((await stage.cli(['sessions', 'accept-loss', session])).stderr).toBe('');
      await until('the last message is settled', () => count('settled') === 4 || undefined);
      expect(count('run_resumed')).toBe(1);
      expect(effects()).toEqual(MESSAGES);
      await stage.cli(['stop'], { timeoutMs: 60_000 });
    },
    TIMEOUT_MS,
  );

  it(
    'names actions of the session log that a shortened audit log does not have [S4] [FG4]',
    async () => {
      restore();
      cutAudit();
      const { ok, text } = await doctor();
      expect(text).toMatch(
        /the audit log lacks entries of actions that session logs hold: action \w+ \(bash\)/,
      );
      expect(ok).toBe(false);
      await start();
      const report = readdirSync(stage.layout.audit)
        .filter((name) => name.endsWith('.jsonl'))
        .map((name) => readFileSync(join(stage.layout.audit, name), 'utf8'));
      expect(report.join('')).toMatch(/the audit log lacks entries of actions.*"step":"CHECKED"/);
      // The comparison is noted before anything is taken up.
      const steps = [...report.join('').matchAll(/"step":"(\w+)"/g)].map(([, step]) => step);
      const begun = steps.lastIndexOf('ENGINE_START');
      expect(steps.slice(begun, begun + 2)).toEqual(['ENGINE_START', 'CHECKED']);
      await stage.cli(['stop'], { timeoutMs: 60_000 });
    },
    TIMEOUT_MS,
  );
});

/** Takes the last STARTED and all after it from the audit log, and the checkpoint that would tell. */
function cutAudit(): void {
  const [log, checkpoints] = ['jsonl', 'checkpoints'].map((end) =>
    join(stage.layout.audit, `audit-000001.${end}`),
  );
  if (log === undefined || checkpoints === undefined) throw new Error('there is no audit log');
  const lines = readFileSync(log, 'utf8').split('\n');
  const last = lines.findLastIndex((line) => line.includes('"step":"STARTED"'));
  expect(last).toBeGreaterThan(0);
  writeFileSync(
    log,
    lines
      .slice(0, last)
      .map((line) => `${line}\n`)
      .join(''),
  );
  const signed = readFileSync(checkpoints, 'utf8').trimEnd().split('\n');
  writeFileSync(
    checkpoints,
    signed
      .slice(0, -1)
      .map((line) => `${line}\n`)
      .join(''),
  );
}
