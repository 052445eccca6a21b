import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApprovalMode } from '@bulkhead/protocol/client';
import { sweepsAreWhole } from '@bulkhead/testkit/sweep';
import { describe, expect, it } from 'vitest';
import { canShiftClocks, ShiftedClock } from './support/shifted-clock.ts';
import { Talk } from './support/talk.ts';
import { until } from './support/until.ts';
import { useStage } from './support/use-stage.ts';

const stage = useStage();

const DAY = 86_400_000;
const YEAR = 365 * DAY;
/** The days after 1970 began, as a machine without a battery has it. */
const TO_1970 = DAY - Date.now();
const JUMPS = sweepsAreWhole
  ? [0, 400 * DAY, 0, -400 * DAY, 10 * YEAR, TO_1970, 0, 31 * DAY, -31 * DAY, 0]
  : [400 * DAY, 0, -31 * DAY, 10 * YEAR, TO_1970];
const canShift = canShiftClocks();
if (!canShift) process.stderr.write('SKIPPED e2e/clocks: no C compiler (cc) on this Linux machine\n');

async function start(clock: ShiftedClock): Promise<void> {
  const { code, stderr } = await stage().cli(['start', '--daemon'], { env: clock.env });
  expect([code, stderr]).toEqual([0, expect.anything()]);
}

async function restart(clock: ShiftedClock): Promise<void> {
  expect((await stage().cli(['stop'])).code).toBe(0);
  await start(clock);
}

async function snapshots(): Promise<number> {
  return JSON.parse((await stage().cli(['chronicle', 'list', '--json'])).stdout).length;
}

async function clockNotice(): Promise<string | undefined> {
  return (await stage().status()).notices.find((notice) => notice.startsWith('CLOCK'));
}

describe.skipIf(!canShift)('an engine whose wall clock jumps (skipped without a C compiler)', () => {
  it('keeps every snapshot, while it runs and over restarts, and takes all of them back [U2] [FT83]', {
    timeout: 720_000,
  }, async () => {
    using clock = new ShiftedClock();
    stage().write('file', 'first');
    await stage().model(({ bodyText }) => {
      const asked = /change-(\d+)/.exec(bodyText.slice(bodyText.lastIndexOf('change-')))?.[1] ?? '0';
      return bodyText.lastIndexOf('"role":"tool"') > bodyText.lastIndexOf('change-')
        ? { text: 'done' }
        : { toolCalls: [{ name: 'write', args: { path: 'file', content: `text ${asked}` } }] };
    });
    await start(clock);
    for (const [number, jump] of JUMPS.entries()) {
      clock.set(jump);
      if (number % 3 === 2) await restart(clock);
      const { code } = await stage().cli(['run', '--json', `change-${number}`]);
      expect(code).toBe(0);
      expect(stage().read('file')).toBe(`text ${number}`);
      expect(await snapshots()).toBe(number + 1);
      const notice = await clockNotice();
      if (jump === 0) expect(notice).toBeUndefined();
      else expect(notice).toContain(jump > 0 ? 'days ahead' : 'days back');
    }
    const entries: readonly { id: string }[] = JSON.parse(
      (await stage().cli(['chronicle', 'list', '--json'])).stdout,
    );
    for (const { id } of entries) {
      const { code } = await stage().cli(['chronicle', 'rollback', id]);
      expect(code).toBe(0);
    }
    expect(stage().read('file')).toBe('first');
    const log = readFileSync(join(stage().layout.logs, 'engine.log'), 'utf8');
    expect(log).toContain('Nothing is removed by age');
  });

  it('says so in doctor, until a person confirms the clock, which makes nothing older [FT83]', {
    timeout: 360_000,
  }, async () => {
    using clock = new ShiftedClock();
    stage().write('file', 'first');
    await stage().model([
      { toolCalls: [{ name: 'write', args: { path: 'file', content: 'second' } }] },
      { text: 'done' },
    ]);
    await start(clock);
    expect((await stage().cli(['run', '--json', 'go'])).code).toBe(0);
    clock.set(400 * DAY);
    const report = JSON.parse((await stage().cli(['doctor', '--json'], { env: clock.env })).stdout);
    expect(report.checks.find(({ name }: { name: string }) => name === 'clock')).toMatchObject({
      state: 'warn',
      detail: expect.stringContaining('400 days ahead'),
      fix: expect.stringContaining('bulkhead doctor --confirm-clock'),
    });
    expect(await clockNotice()).toBeDefined();
    const confirmed = await stage().cli(['doctor', '--confirm-clock', '--json']);
    expect(JSON.parse(confirmed.stdout)).toMatchObject({ changed: true, countedSeconds: 0 });
    const again = await stage().cli(['doctor', '--confirm-clock', '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ changed: false });
    const { stdout: entries } = await stage().cli(['audit', 'list', '--json']);
    expect(entries.match(/"CLOCK_CONFIRMED"/g)).toHaveLength(1);
    expect(await clockNotice()).toBeUndefined();
    await restart(clock);
    expect(await clockNotice()).toBeUndefined();
    expect(await snapshots()).toBe(1);
  });

  it('lists a pending approval until it is answered, whatever the clock says [FT45] [FT83]', {
    timeout: 360_000,
  }, async () => {
    using clock = new ShiftedClock();
    await stage().model([
      { toolCalls: [{ name: 'write', args: { path: '.vscode/tasks.json', content: '{}' } }] },
      { text: 'done' },
    ]);
    await start(clock);
    await using talk = await Talk.begin(stage());
    await talk.send('go', { options: { approve: ApprovalMode.ASK } });
    const listed = async (): Promise<readonly { approvalId: string; remainingMs: number }[]> =>
      JSON.parse((await stage().cli(['approvals', 'list', '--json'])).stdout);
    await until('the question', async () => (await listed()).length === 1);
    const token = (await stage().cli(['token', 'show'])).stdout.trim();
    using client = await stage().client();
    const { httpAddress } = await client.call('status', {});
    let before = Number.POSITIVE_INFINITY;
    for (const jump of [400 * DAY, 0, -400 * DAY, 10 * YEAR, TO_1970, -31 * DAY]) {
      clock.set(jump);
      const [question] = await listed();
      expect(question?.remainingMs).toBeGreaterThan(0);
      expect(question?.remainingMs).toBeLessThan(before);
      before = question?.remainingMs ?? 0;
      const answer = await fetch(`${httpAddress}/api/v1/approvals`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(await answer.json()).toMatchObject({ approvals: [{ approvalId: question?.approvalId }] });
      const shown = (await stage().cli(['approvals', 'list'])).stdout;
      expect(shown).toMatch(/expires in [0-5]:\d\d/);
    }
    const [question] = await listed();
    const answered = await stage().cli(['approvals', 'answer', question?.approvalId ?? '', 'y']);
    expect(answered.code).toBe(0);
    await until('the file', () => existsSync(join(stage().folder, '.vscode/tasks.json')));
    expect(await listed()).toEqual([]);
  });
});
