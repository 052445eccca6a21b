import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openTables } from '@bulkhead/sessions/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApprovalToken } from './approval-token.ts';
import { ApprovalTokens } from './approval-tokens.ts';
import { createTokenTable } from './token-table.ts';

const CHILD = join(import.meta.dirname, 'spend-tokens.child.ts');
const NODE = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning'];
const KEY = Buffer.alloc(32, 1);
const ABOUT = { digest: 'd', changes: 'c', session: 's', action: 'a' };
const CLAIMS = { ...ABOUT, approver: 'owner', channel: 'client', policy: 'v1' };

let folder: string;
let opened: DisposableStack;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tokens-'));
  opened = new DisposableStack();
});
afterEach(() => {
  opened.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** Another connection to the same tokens, as an engine process with `key` has it. */
function connection(key = KEY, time = { wall: 1_000, monotonic: 5 }) {
  const { tables } = opened.use(openTables(join(folder, 'bulkhead.db')));
  const database = createTokenTable(tables, time.wall);
  const clock = { now: () => time.wall, monotonic: () => time.monotonic };
  return new ApprovalTokens({ database, key, clock, nonces: () => crypto.randomUUID() });
}

describe('an approval token', () => {
  it('lets the very thing it names happen, once [FR6]', () => {
    const tokens = connection();
    const token = tokens.mint(CLAIMS);
    expect(tokens.spend(token, ABOUT)).toBe('spent');
    expect(tokens.spend(token, ABOUT)).toBe('used before');
  });

  it.each(['digest', 'changes', 'session', 'action'] as const)('is for no other %s [FR6] [FT40]', (field) => {
    const tokens = connection();
    const token = tokens.mint(CLAIMS);
    expect(tokens.spend(token, { ...ABOUT, [field]: 'other' })).toBe('about something else');
    expect(tokens.spend(token, ABOUT)).toBe('spent');
  });

  it.each([
    ['digest', { digest: 'e' }],
    ['changes', { changes: 'e' }],
    ['session', { session: 'e' }],
    ['action', { action: 'e' }],
    ['approver', { approver: 'e' }],
    ['channel', { channel: 'e' }],
    ['policy', { policy: 'e' }],
    ['nonce', { nonce: 'e' }],
    ['expiry', { expires: 9_999_999 }],
    ['deadline', { deadline: 9_999_999 }],
    ['signature', { mac: 'ab'.repeat(32) }],
    ['missing signature', { mac: '' }],
  ] satisfies [string, Partial<ApprovalToken>][])('is void with another %s [FR6]', (_what, fields) => {
    const tokens = connection();
    const forged = { ...tokens.mint(CLAIMS), ...fields };
    const { digest, changes, session, action } = forged;
    expect(tokens.spend(forged, { digest, changes, session, action })).toBe('forged');
  });

  it.each([
    ['wall', { wall: 301_000 }],
    ['monotonic', { wall: 0, monotonic: 300_005 }],
  ])('expires by the %s clock [FR6] [FT45]', (_what, later) => {
    const time = { wall: 1_000, monotonic: 5 };
    const tokens = connection(KEY, time);
    const token = tokens.mint(CLAIMS);
    Object.assign(time, later);
    expect(tokens.spend(token, ABOUT)).toBe('expired');
  });

  it('keeps a used one used for the next process that opens the database [FR6]', () => {
    const token = connection().mint(CLAIMS);
    expect(connection().spend(token, ABOUT)).toBe('spent');
    expect(connection().spend(token, ABOUT)).toBe('used before');
  });

  it('is void in the next life of the engine, used or not [FR6]', () => {
    const token = connection().mint(CLAIMS);
    expect(connection(Buffer.alloc(32, 2)).spend(token, ABOUT)).toBe('forged');
  });

  it('can not be used once it is forgotten: nothing that expired is kept [FR6]', () => {
    const token = connection().mint(CLAIMS);
    connection(KEY, { wall: 301_000, monotonic: 0 });
    expect(connection().spend(token, ABOUT)).toBe('used before');
  });

  it('lets nothing happen where the database can not be written [FG9]', () => {
    const tokens = connection();
    const token = tokens.mint(CLAIMS);
    opened.dispose();
    expect(() => tokens.spend(token, ABOUT)).toThrow('closed');
    expect(() => tokens.mint(CLAIMS)).toThrow('closed');
  });

  it('is taken once by four processes that race for each of a thousand [FR6] [FT40]', async () => {
    const tokens = connection();
    const minted = Array.from({ length: 1_000 }, (_, at) => tokens.mint({ ...CLAIMS, action: `a-${at}` }));
    const racers = [0, 250, 500, 750].map((from) => racer({ minted, from }));
    await Promise.all(racers.map(({ said }) => said()));
    for (const { say } of racers) say('go');
    const won = await Promise.all(
      racers.map(async ({ said }): Promise<string[]> => JSON.parse(await said())),
    );
    expect(won.flat().toSorted()).toEqual(minted.map(({ nonce }) => nonce).toSorted());
    // If one process took all tokens, there was no race.
    expect(won.filter((one) => one.length > 0).length).toBeGreaterThan(1);
  });
});

/** A process that receives the tokens and waits for the start signal. */
function racer(told: { readonly minted: readonly ApprovalToken[]; readonly from: number }) {
  const child = spawn(process.execPath, [...NODE, CHILD], { stdio: ['pipe', 'pipe', 'inherit'] });
  opened.defer(() => child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const say = (line: string): void => void child.stdin.write(`${line}\n`);
  say(JSON.stringify({ path: join(folder, 'bulkhead.db'), key: KEY.toString('hex'), ...told }));
  return { say, said: async (): Promise<string> => String((await lines.next()).value) };
}
