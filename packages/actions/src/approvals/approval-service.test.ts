import { describe, expect, it } from 'vitest';
import { NO, YES } from '../testing/answers.ts';
import { approvalStage, HandTimers, questionAbout } from '../testing/approval-stage.ts';

const never = new AbortController().signal;
const to = (approval: string) => ({ approval, session: 's', hash: 'h' });

describe('ApprovalService', () => {
  it('denies when no one can answer [A6]', async () => {
    const { service } = approvalStage();
    await expect(service.request(questionAbout(), 'deny', never).outcome).resolves.toEqual({
      decision: 'deny',
      by: 'nobody',
    });
  });

  it('takes one answer, for the session and hash it asked about [A6]', async () => {
    const { service } = approvalStage();
    const { id, outcome } = service.request(questionAbout(), 'ask', never);
    expect(service.decide({ ...to(id), session: 'other' }, YES)).toBe(false);
    expect(service.decide({ ...to(id), hash: 'other' }, YES)).toBe(false);
    expect(service.decide(to('forged'), YES)).toBe(false);
    expect(service.decide(to(id), YES)).toBe(true);
    expect(service.decide(to(id), YES)).toBe(false);
    await expect(outcome).resolves.toEqual({
      decision: 'allow',
      by: 'person',
      scope: 'once',
      approver: YES.approver,
    });
    expect(service.decide(to(id), NO)).toBe(false);
  });

  it('takes no answer of somebody who may not give it [A6]', () => {
    const { service } = approvalStage();
    const { id } = service.request(questionAbout(), 'ask', never);
    const stranger = { channel: 'chat', id: 'owner' };
    expect(service.decide(to(id), { ...YES, approver: stranger })).toBe(false);
    expect(service.decide(to(id), { ...NO, approver: stranger })).toBe(false);
    const guest = { channel: 'web', id: 'tg-7' };
    expect(service.decide(to(id), { ...YES, approver: guest })).toBe(false);
    expect(service.open).toHaveLength(1);
  });

  it('uses an answer once and lets a denial win over an approval of the same moment, a thousand times [FT40] [A6]', async () => {
    for (let race = 0; race < 1_000; race += 1) {
      const timers = new HandTimers();
      const { service } = approvalStage({ timers });
      const { id, outcome } = service.request(questionAbout(), 'ask', never);
      const answers = [YES, NO, YES, NO, YES].toSorted(() => ((race * 7919) % 5) - 2);
      const turn = race % 2 === 0 ? [YES, ...answers] : answers;
      const taken = turn.map((answer) => service.decide(to(id), answer));
      timers.fire(0);
      expect(service.decide(to(id), YES)).toBe(false);
      await expect(outcome).resolves.toMatchObject({ decision: 'deny', by: 'person' });
      expect(taken.filter((accepted, at) => accepted && turn[at]?.decision === 'deny')).toHaveLength(1);
      expect(taken.filter((accepted, at) => accepted && turn[at]?.decision === 'allow').length).toBeLessThan(
        2,
      );
    }
  });

  it('tells each client the decision, even if a denial of the same moment beat its approval [A6] [FT40]', async () => {
    const timers = new HandTimers();
    const { service } = approvalStage({ timers });
    const { id } = service.request(questionAbout(), 'ask', never);
    expect(await service.outcomeOf(to(id))).toBeUndefined();
    service.decide(to(id), YES);
    const told = service.outcomeOf(to(id));
    service.decide(to(id), NO);
    expect(await told).toMatchObject({ decision: 'deny', by: 'person' });
    expect(await service.outcomeOf(to(id))).toMatchObject({ decision: 'deny' });
    // Not for a caller that does not know the question.
    expect(await service.outcomeOf({ ...to(id), hash: 'other' })).toBeUndefined();
    expect(await service.outcomeOf({ ...to(id), session: 'other' })).toBeUndefined();
    const next = service.request(questionAbout(), 'ask', never);
    service.decide(to(next.id), { ...YES, scope: 'session' });
    const waits = service.outcomeOf(to(next.id));
    expect(await service.outcomeOf({ ...to(next.id), hash: 'other' })).toBeUndefined();
    timers.fire(0);
    expect(await waits).toMatchObject({ decision: 'allow', scope: 'session' });
  });

  it('remembers how the last questions ended, and not all there ever were [A6]', async () => {
    const { service } = approvalStage();
    const ids = Array.from({ length: 600 }, (_, index) => {
      const { id } = service.request(questionAbout({ sessionId: `s${index}` }), 'ask', never);
      service.decide({ approval: id, session: `s${index}`, hash: 'h' }, NO);
      return id;
    });
    const known = async (index: number) =>
      await service.outcomeOf({ approval: ids[index] ?? '', session: `s${index}`, hash: 'h' });
    expect([await known(0), (await known(599))?.decision]).toEqual([undefined, 'deny']);
  });

  it('counts one of many yeses [FT40]', async () => {
    const { service } = approvalStage();
    const { id, outcome } = service.request(questionAbout(), 'ask', never);
    const taken = Array.from({ length: 1_000 }, () => service.decide(to(id), YES));
    expect(taken.filter(Boolean)).toHaveLength(1);
    await expect(outcome).resolves.toMatchObject({ decision: 'allow' });
  });

  it('denies when time is up, and refuses the late answer [A6]', async () => {
    const timers = new HandTimers();
    const { service, time } = approvalStage({ timers });
    const { id, outcome } = service.request(questionAbout(), 'ask', never);
    timers.fire(299_999);
    expect(service.open).toHaveLength(1);
    time.monotonic = 300_000;
    // Also if the timer is late.
    expect(service.decide(to(id), YES)).toBe(false);
    timers.fire(300_000);
    await expect(outcome).resolves.toEqual({ decision: 'deny', by: 'timeout' });
  });

  const YEAR_MS = 365 * 24 * 3_600_000;
  it.each([-56 * YEAR_MS, -YEAR_MS, 1_000, 400 * 24 * 3_600_000, 10 * YEAR_MS])(
    'lists a question until its time is up, with a wall clock set by %d ms [FT45] [FT83]',
    async (wall) => {
      const { service, time } = approvalStage();
      const { id, expires, outcome } = service.request(questionAbout(), 'ask', never);
      expect(expires).toBe(1_300_000);
      time.wall += wall;
      time.monotonic += 299_999;
      expect(service.open).toMatchObject([{ id, leftMs: 1 }]);
      time.monotonic += 1;
      expect(service.open).toEqual([]);
      expect(service.decide(to(id), YES)).toBe(false);
      await expect(outcome).resolves.toEqual({ decision: 'deny', by: 'timeout' });
    },
  );

  it('takes an answer while the wall clock is wrong [FT45]', async () => {
    const { service, time } = approvalStage();
    const { id, outcome } = service.request(questionAbout(), 'ask', never);
    time.wall += 400 * 24 * 3_600_000;
    expect(service.decide(to(id), YES)).toBe(true);
    await expect(outcome).resolves.toMatchObject({ decision: 'allow' });
  });

  it('denies after a sleep that was longer than its time [FT45]', async () => {
    const { service, time } = approvalStage();
    const { id, outcome } = service.request(questionAbout(), 'ask', never);
    time.asleep = 200_000;
    expect(service.open).toMatchObject([{ id, leftMs: 100_000 }]);
    time.asleep = 300_000;
    expect(service.decide(to(id), YES)).toBe(false);
    expect(await service.outcomeOf(to(id))).toEqual({ decision: 'deny', by: 'timeout' });
    await expect(outcome).resolves.toEqual({ decision: 'deny', by: 'timeout' });
  });

  it('denies when the run is cancelled, before or while asking', async () => {
    const { service } = approvalStage();
    const controller = new AbortController();
    const open = service.request(questionAbout(), 'ask', controller.signal);
    controller.abort();
    const cancelled = { decision: 'deny', by: 'cancel' };
    await expect(open.outcome).resolves.toEqual(cancelled);
    await expect(service.request(questionAbout(), 'ask', controller.signal).outcome).resolves.toEqual(
      cancelled,
    );
  });
});

describe('the scope of an approval', () => {
  it('in this session the same is not asked again, in another it is [A6]', async () => {
    const { service } = approvalStage();
    const { id, outcome } = service.request(questionAbout(), 'ask', never);
    expect(service.decide(to(id), { ...YES, scope: 'session' })).toBe(true);
    await expect(outcome).resolves.toMatchObject({ scope: 'session' });
    const again = service.request(questionAbout({ hash: 'h2' }), 'deny', never);
    await expect(again.outcome).resolves.toEqual({ decision: 'allow', by: 'grant' });
    for (const other of [{ sessionId: 's2' }, { grant: 'g2' }]) {
      const { outcome: asked } = service.request(questionAbout(other), 'deny', never);
      await expect(asked).resolves.toMatchObject({ decision: 'deny' });
    }
    const { grant: _, ...ungranted } = questionAbout();
    await expect(service.request(ungranted, 'deny', never).outcome).resolves.toMatchObject({
      decision: 'deny',
    });
  });

  it('keeps a rule for a permanent approval; if it cannot be kept, the approval is for once [A6]', async () => {
    const { service, remembered } = approvalStage();
    const { id, outcome } = service.request(questionAbout(), 'ask', never);
    service.decide(to(id), { ...YES, scope: 'always' });
    await expect(outcome).resolves.toMatchObject({ scope: 'always' });
    expect(remembered.map(({ name }) => name)).toEqual(['always-1']);
    const full = approvalStage({
      remember: () => {
        throw new Error('disk full');
      },
    });
    const second = full.service.request(questionAbout(), 'ask', never);
    full.service.decide(to(second.id), { ...YES, scope: 'always' });
    await expect(second.outcome).resolves.toMatchObject({ decision: 'allow', scope: 'once' });
  });

  it('only as far as was offered [A6]', () => {
    const { service, remembered } = approvalStage();
    const { id } = service.request(questionAbout({ scopes: ['once'] }), 'ask', never);
    expect(service.decide(to(id), { ...YES, scope: 'always' })).toBe(false);
    expect(service.decide(to(id), { ...YES, scope: 'session' })).toBe(false);
    expect(remembered).toEqual([]);
  });

  it('leaves nothing behind of an approval that a denial overtook [FT40]', async () => {
    const timers = new HandTimers();
    const { service, remembered } = approvalStage({ timers });
    for (const scope of ['session', 'always'] as const) {
      const { id, outcome } = service.request(questionAbout(), 'ask', never);
      service.decide(to(id), { ...YES, scope });
      service.decide(to(id), NO);
      timers.fire(0);
      await expect(outcome).resolves.toMatchObject({ decision: 'deny' });
    }
    expect(remembered).toEqual([]);
    await expect(service.request(questionAbout(), 'deny', never).outcome).resolves.toMatchObject({
      by: 'nobody',
    });
  });
});

describe('many questions', () => {
  it('of five hundred in a minute a person sees thirty, until a minute was quiet [FT44] [H4]', async () => {
    const { service, time } = approvalStage();
    const ask = (n: number) => service.request(questionAbout({ hash: `h${n}` }), 'ask', never);
    let seen = 0;
    for (let n = 0; n < 500; n += 1) {
      time.monotonic += 120;
      time.wall += 120;
      const { id, outcome } = ask(n);
      if (service.decide({ approval: id, session: 's', hash: `h${n}` }, NO)) seen += 1;
      else await expect(outcome).resolves.toEqual({ decision: 'deny', by: 'limit' });
    }
    expect(seen).toBe(30);
    // Another session is not paused.
    service.request(questionAbout({ sessionId: 's2' }), 'ask', never);
    expect(service.open).toHaveLength(1);
    time.monotonic += 59_000;
    await expect(ask(1_000).outcome).resolves.toMatchObject({ by: 'limit' });
    time.monotonic += 60_000;
    ask(1_001);
    expect(service.open).toHaveLength(2);
  });

  it('at once are capped [FT44]', () => {
    const { service } = approvalStage();
    for (let n = 0; n < 100; n += 1) service.request(questionAbout({ hash: `h${n}` }), 'ask', never);
    expect(service.open).toHaveLength(16);
  });

  it('about the same are answered together, if it may be done twice; a no always is [FT44]', async () => {
    const { service } = approvalStage();
    const twice = Array.from({ length: 30 }, () =>
      service.request(questionAbout({ repeatable: true }), 'ask', never),
    );
    service.decide(to(twice[3]?.id ?? ''), YES);
    for (const { outcome } of twice) await expect(outcome).resolves.toMatchObject({ decision: 'allow' });
    const [first, second] = [
      service.request(questionAbout(), 'ask', never),
      service.request(questionAbout(), 'ask', never),
    ];
    service.decide(to(first.id), YES);
    await expect(first.outcome).resolves.toMatchObject({ decision: 'allow' });
    expect(service.open.map(({ id }) => id)).toEqual([second.id]);
    service.decide(to(second.id), NO);
    await expect(second.outcome).resolves.toMatchObject({ decision: 'deny' });
  });
});
