import { beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../testing/box-fixture.ts';
import { boxKinds } from './attempt.ts';
import type { AttackReport } from './run-attacks.ts';
import { startAttacks } from './start-attacks.ts';

/** Walls that one kind of box has, so that little is attacked anew. */
const WITHOUT = ['landlock-scope', 'hidden-init'];
const LIMIT_MILLISECONDS = 120_000;

let report: AttackReport;
beforeAll(async () => {
  report = await startAttacks([
    '--package-root',
    packageRoot,
    ...WITHOUT.flatMap((wall) => ['--without', wall]),
  ]);
}, LIMIT_MILLISECONDS);

describe.each(boxKinds)('the %s box, attacked from inside', (kind) => {
  it('can be made', () => {
    expect(report.suite.noBox[kind]).toBeUndefined();
  });

  it('lets no attempt get further than expected [FT01] [FT02] [FT03] [FT04] [FT05] [FT08] [FT09]', () => {
    const mine = report.suite.judged.filter(({ box }) => box === kind);
    expect(mine.length).toBeGreaterThan(20);
    const through = mine
      .filter(({ verdict }) => verdict === 'failed')
      .map(({ attempt, outcome, detail, canaries }) => ({ name: attempt.name, outcome, detail, canaries }));
    expect(through).toEqual([]);
  });

  it('has each wall when looked at from the host, and ends with its launching process [FT04] [FT07]', () => {
    const mine = report.suite.facts.filter(({ box }) => box === kind);
    expect(mine.length).toBeGreaterThan(6);
    expect(mine.filter(({ holds }) => !holds)).toEqual([]);
  });
});

describe('the witnesses outside', () => {
  it('saw no canary read, no connection and no change [FT01] [FT02] [FT03] [FT96]', () => {
    expect(report.suite.oracles).toEqual({ canaries: 0, connections: [], changedOutside: 0 });
  });

  it('are not blind: unboxed, the same attempts read canaries and connect', () => {
    expect(report.controls.canaries).toBeGreaterThan(10);
    for (const name of ['tcp4', 'udp4', 'unix', 'abstract']) {
      expect(report.controls.arrived[name], name).toBeGreaterThan(0);
    }
  });
});

describe('native attacks', () => {
  it('ran: they are most of the suite', (context) => {
    if (report.nativeSkipped !== undefined) {
      return context.skip(`native attacks skipped: ${report.nativeSkipped}`);
    }
    const native = report.suite.judged.filter(({ attempt }) => attempt.arm === 'native');
    expect(native.length).toBeGreaterThan(500);
    const proved = native.filter(({ verdict }) => verdict === 'held').length;
    expect(proved / native.length).toBeGreaterThan(0.5);
  });

  it.each(WITHOUT)('notice that the wall %s is missing', (wall) => {
    const mine = report.missing.filter((one) => one.wall === wall);
    if (report.nativeSkipped === undefined) expect(mine.length).toBe(1);
    for (const { noticed } of mine) expect(noticed).not.toEqual([]);
  });
});
