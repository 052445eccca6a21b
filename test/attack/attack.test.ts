import { packageRoot } from '@bulkhead/sandbox/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { boxKinds } from './attempt.ts';
import type { AttackReport } from './run-attacks.ts';
import { startAttacks } from './start-attacks.ts';

/** A wall of only one kind of box, so that few attacks are repeated. */
const WITHOUT = 'hidden-init';
const LIMIT_MILLISECONDS = 360_000;

const attacked = new Map<string, AttackReport>();
const report = (name: string): AttackReport => {
  const found = attacked.get(name);
  if (found === undefined) throw new Error(`${name} was not attacked`);
  return found;
};
beforeAll(async () => {
  const root = ['--package-root', packageRoot];
  attacked.set('as made', await startAttacks([...root, '--without', WITHOUT]));
  attacked.set(
    'without name spaces',
    await startAttacks([...root, '--bare', '--box', 'agent', '--box', 'worker']),
  );
  // The only view with processes that help: they rename folders, and replay changes of the folder.
  attacked.set('on an overlay', await startAttacks([...root, '--box', 'shell', '--view', 'overlay']));
  attacked.set('on a copy', await startAttacks([...root, '--box', 'shell', '--view', 'copy']));
}, LIMIT_MILLISECONDS);

describe.each([
  ...boxKinds.map((kind) => ({ kind, how: 'as made' })),
  { kind: 'agent' as const, how: 'without name spaces' },
  { kind: 'worker' as const, how: 'without name spaces' },
  { kind: 'shell' as const, how: 'on an overlay' },
  { kind: 'shell' as const, how: 'on a copy' },
])('the $kind box $how, attacked from inside', ({ kind, how }) => {
  it('can be made', () => {
    expect(report(how).suite.noBox[kind]).toBeUndefined();
  });

  it('lets no attempt get further than expected [FT01] [FT02] [FT03] [FT04] [FT05] [FT08] [FT09]', () => {
    const mine = report(how).suite.judged.filter(({ box }) => box === kind);
    expect(mine.length).toBeGreaterThan(20);
    const through = mine
      .filter(({ verdict }) => verdict === 'failed')
      .map(({ attempt, outcome, detail, canaries }) => ({ name: attempt.name, outcome, detail, canaries }));
    expect(through).toEqual([]);
  });

  it('has each wall when looked at from the host, and ends with its launching process [FT04] [FT07]', () => {
    const mine = report(how).suite.facts.filter(({ box }) => box === kind);
    expect(mine.length).toBeGreaterThan(6);
    expect(mine.filter(({ holds }) => !holds)).toEqual([]);
  });
});

describe('the witnesses outside', () => {
  it.each(['as made', 'without name spaces', 'on an overlay', 'on a copy'])(
    'saw no canary read, no connection and no change: boxes %s [FT01] [FT02] [FT03] [FT96]',
    (how) => {
      expect(report(how).suite.oracles).toEqual({ canaries: 0, connections: [], changedOutside: 0 });
    },
  );

  it('are not blind: unboxed, the same attempts read canaries and connect', () => {
    const { controls } = report('as made');
    expect(controls.canaries).toBeGreaterThan(10);
    for (const name of ['tcp4', 'udp4', 'unix', 'abstract']) {
      expect(controls.arrived[name], name).toBeGreaterThan(0);
    }
  });
});

describe('a shell command on a copy', () => {
  it('does not reach what a live one does: a socket in the working folder [B2] [FT02]', (context) => {
    const { nativeSkipped, suite } = report('on a copy');
    if (nativeSkipped !== undefined) return context.skip(`native attacks skipped: ${nativeSkipped}`);
    const one = suite.judged.find(({ attempt }) => attempt.name === 'connect-work-socket');
    expect([one?.verdict, one?.outcome]).toEqual(['held', 'ENOENT']);
  });
});

describe('a shell command on an overlay', () => {
  it('finds the processes that help it, and gets no further [B2] [FT04]', (context) => {
    const { nativeSkipped, suite } = report('on an overlay');
    if (nativeSkipped !== undefined) return context.skip(`native attacks skipped: ${nativeSkipped}`);
    const seen = suite.judged.filter(({ attempt }) => attempt.name.includes('companion'));
    expect(seen.map(({ outcome }) => outcome)).toEqual(['EPERM', 'EACCES', 'EACCES', 'EACCES', 'EPERM']);
  });
});

describe('native attacks', () => {
  it('ran, and most of them worked outside', (context) => {
    const { nativeSkipped, suite } = report('as made');
    if (nativeSkipped !== undefined) return context.skip(`native attacks skipped: ${nativeSkipped}`);
    const native = suite.judged.filter(({ attempt }) => attempt.arm === 'native');
    expect(native.length).toBeGreaterThan(500);
    const proved = native.filter(({ verdict }) => verdict === 'held').length;
    expect(proved / native.length).toBeGreaterThan(0.5);
  });

  it('notice a missing wall', (context) => {
    const { nativeSkipped, missing } = report('as made');
    if (nativeSkipped !== undefined) return context.skip(`native attacks skipped: ${nativeSkipped}`);
    expect(missing.map(({ wall, noticed }) => [wall, noticed.length > 0])).toEqual([[WITHOUT, true]]);
  });
});
