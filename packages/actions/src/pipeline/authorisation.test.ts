import { createHash } from 'node:crypto';
import { changed, effectsOf, observed } from '@bulkhead/home/testing';
import { systemTimers, type ToolHost } from '@bulkhead/protocol';
import { memoryTables } from '@bulkhead/sessions/testing';
import { describe, expect, it } from 'vitest';
import type { TokenClaims } from '../approvals/approval-token.ts';
import { ApprovalTokens, type TokenMint } from '../approvals/approval-tokens.ts';
import { createTokenTable } from '../approvals/token-table.ts';
import { NO, YES } from '../testing/answers.ts';
import { approvalStage } from '../testing/approval-stage.ts';
import { noSnapshots } from '../testing/no-stages.ts';
import { allow, CHANGES, pipelineStage } from '../testing/pipeline-stage.ts';
import { changesDigest } from './authorisation.ts';
import type { PipelineParts } from './pipeline-parts.ts';

const escalate = { ...allow, decision: 'escalate', policy: 'v1' } as const;

/** A pipeline with observable tokens and adjustable clocks. */
function stage(parts: Partial<PipelineParts> = {}, verdict: typeof escalate | typeof allow = escalate) {
  const { service, time } = approvalStage({ timers: systemTimers });
  const clock = { now: () => time.wall, monotonic: () => time.monotonic };
  const tables = memoryTables();
  const database = createTokenTable(tables, 0);
  const minted: TokenClaims[] = [];
  let next = 0;
  const nonces = (): string => {
    next += 1;
    return `n-${next}`;
  };
  const tokens = new ApprovalTokens({ database, key: Buffer.alloc(32, 3), clock, nonces });
  const watched: TokenMint = {
    mint: (claims) => {
      minted.push(claims);
      return tokens.mint(claims);
    },
    spend: (token, target) => tokens.spend(token, target),
  };
  const test = pipelineStage({ approvals: service, tokens: watched, ...parts }, verdict);
  const answer = async (say = YES) => {
    await expect.poll(() => service.open.length, { interval: 1 }).toBe(1);
    const [open] = service.open;
    if (open !== undefined)
      service.decide({ approval: open.id, session: open.sessionId, hash: open.hash }, say);
    await expect.poll(() => service.open.some(({ id }) => id === open?.id), { interval: 1 }).toBe(false);
  };
  const noncesOf = (step: string) =>
    test.audited.filter((entry) => entry.step === step).map(({ details }) => details['nonce']);
  return { ...test, time, tables, minted, answer, noncesOf };
}

describe('the token of an action', () => {
  it('names what was approved, by whom, over which way and under which policy; the audit log names it [FR6] [A6]', async () => {
    const test = stage();
    const running = test.run('{"path":"a"}', 'ask');
    await test.answer();
    await running;
    const [call] = test.calls;
    const bytes = `{"arguments":${call?.canonicalArguments},"tool":"${call?.tool}"}`;
    expect(test.minted).toEqual([
      {
        digest: createHash('sha256').update(bytes).digest('hex'),
        changes: changesDigest(CHANGES),
        session: 's',
        action: call?.actionId,
        approver: 'owner',
        channel: 'client',
        policy: 'v1',
      },
    ]);
    expect(test.noncesOf('APPROVED')).toEqual(['n-1']);
    expect(test.noncesOf('STARTED')).toEqual(['n-1']);
  });

  it('exists for an approval given beforehand too, minted anew each time [FR6]', async () => {
    const test = stage();
    await test.run('{"path":"a"}', 'allow');
    const running = test.run('{"path":"a"}', 'ask');
    await test.answer({ ...YES, scope: 'session' });
    await running;
    await test.run('{"path":"a"}', 'deny');
    expect(test.minted.map(({ approver }) => approver)).toEqual(['run_option', 'owner', 'grant']);
    expect(test.noncesOf('STARTED')).toEqual(['n-1', 'n-2', 'n-3']);
    expect(test.calls).toHaveLength(3);
  });

  it('exists for an action that the policy allows without asking [FG2]', async () => {
    const test = stage({}, allow);
    await test.run('{"path":"a"}');
    expect(test.minted).toMatchObject([{ approver: 'policy', channel: 'engine' }]);
    expect(test.noncesOf('STARTED')).toEqual(['n-1']);
  });

  it('is never minted for an action that is refused, with or without a person [FR6]', async () => {
    const test = stage();
    const running = test.run('{"path":"a"}', 'ask');
    await test.answer(NO);
    await running;
    await test.run('{"path":"a"}', 'deny');
    expect(test.minted).toEqual([]);
    expect(test.calls).toEqual([]);
  });

  it('has expired if it takes too long to begin [FR6]', async () => {
    const late = async () => {
      test.time.wall += 300_000;
    };
    const test = stage({ snapshots: { ...noSnapshots, take: late } });
    await expect(test.run('{"path":"a"}', 'allow')).resolves.toMatchObject({
      result: { text: 'Its approval is expired. Nothing was done.', isError: true },
      refused: true,
    });
    expect(test.order).not.toContain('intent');
    expect(test.calls).toEqual([]);
  });

  it.each([
    ['minted', (test: ReturnType<typeof stage>) => test.tables[Symbol.dispose](), {}],
    [
      'spent',
      () => {},
      (close: () => void) => ({ snapshots: { ...noSnapshots, take: async () => close() } }),
    ],
  ])('that can not be %s lets nothing happen [FG9] [A4]', async (_what, before, parts) => {
    const test = stage(typeof parts === 'function' ? parts(() => test.tables[Symbol.dispose]()) : parts);
    before(test);
    const outcome = await test.run('{"path":"a"}', 'allow');
    expect(outcome.result.text).toContain('could not be recorded');
    expect(test.order).not.toContain('intent');
    expect(test.calls).toEqual([]);
  });
});

describe('the token of what a command did', () => {
  const effects = effectsOf([observed('.vscode/tasks.json', changed)]);
  const settled: unknown[] = [];
  const host: ToolHost = {
    execute: async (_call, _update, _signal, settle) => {
      settled.push(await settle?.(effects));
      return { text: 'ran', isError: false };
    },
    plan: async () => ({ text: '', isError: false, changes: [] }),
    inspect: async () => [],
  };

  it('is another one than that of the command, used up before anything is kept [FR6] [B2]', async () => {
    const test = stage({ hostOf: () => host }, allow);
    await test.run('{"path":"a"}', 'allow');
    expect(settled.pop()).toEqual({ commit: true });
    expect(test.minted.map(({ approver }) => approver)).toEqual(['policy', 'run_option']);
    expect(test.minted[1]?.changes).not.toBe(test.minted[0]?.changes);
    expect(test.noncesOf('APPROVED')).toEqual(['n-2']);
  });

  it('allows a loss only if the question named it: other approvals do not [B2]', async () => {
    const path = (at: number) => Buffer.from(`src/${at}`);
    const lost = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ path: path(at), what: 'deleted' as const, count: 1 }));
    const counted: unknown[] = [];
    const takeEffects = async (_action: unknown, _effects: unknown, loss: unknown) => void counted.push(loss);
    for (const count of [0, 40, 60]) {
      const losing: ToolHost = {
        ...host,
        execute: async (_call, _update, _signal, settle) => {
          settled.push(await settle?.({ ...effects, lost: lost(count) }));
          return { text: 'ran', isError: false };
        },
      };
      const test = stage({ hostOf: () => losing, snapshots: { ...noSnapshots, takeEffects } }, allow);
      await test.run('{"path":"a"}', 'allow');
      expect(settled.pop()).toEqual({ commit: true });
    }
    expect(counted).toEqual([
      { count: 0, isAllowed: false },
      { count: 40, isAllowed: false },
      { count: 60, isAllowed: true },
    ]);
  });

  it('that has expired, or can not be written, keeps nothing [FG9] [B2]', async () => {
    const breaking = [
      (test: ReturnType<typeof stage>) => Object.assign(test.time, { wall: 9e9 }),
      (test: ReturnType<typeof stage>) => test.tables[Symbol.dispose](),
    ];
    for (const breaks of breaking) {
      const takeEffects = async () => void breaks(test);
      const test = stage({ hostOf: () => host, snapshots: { ...noSnapshots, takeEffects } }, allow);
      const outcome = await test.run('{"path":"a"}', 'allow');
      expect(settled.pop()).toMatchObject({ commit: false, reason: expect.stringContaining('approval') });
      expect(outcome.refused).toBe(true);
    }
  });
});
