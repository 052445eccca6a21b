import { type BoxKind, boxKinds, type Judged, knownGap, type Verdict } from './attempt.ts';
import type { Fact } from './look-from-outside.ts';
import type { AttackReport, MissingWall } from './run-attacks.ts';

const marks: Readonly<Record<Verdict, string>> = { held: ' ', known: '~', unproven: '?', failed: '✗' };

const VIEWS = { live: 'live', overlay: 'on an overlay', copy: 'on a copy' } as const;

/** True if no attack succeeded unexpectedly, and every missing wall was noticed. */
export function allHeld(report: AttackReport): boolean {
  const { judged, facts, oracles, noBox } = report.suite;
  return (
    judged.every(({ verdict }) => verdict !== 'failed') &&
    facts.every(({ holds }) => holds) &&
    oracles.canaries === 0 &&
    oracles.connections.length === 0 &&
    oracles.changedOutside === 0 &&
    Object.keys(noBox).length === 0 &&
    report.missing.every(({ noticed }) => noticed.length > 0)
  );
}

/** The tables for a person: attempts, what was seen from outside, missing walls, the count. */
export function renderReport(report: AttackReport): string {
  const { judged, facts, noBox } = report.suite;
  return [
    ...tableOf(judged, report.nameSpaces),
    '',
    ...facts.map(factLine),
    ...Object.entries(noBox).map(([box, why]) => `✗ ${box}: no box could be made: ${why}`),
    ...(report.missing.length === 0 ? [] : ['', ...report.missing.map(missingLine)]),
    '',
    ...summaryOf(report),
    '',
  ].join('\n');
}

function tableOf(judged: readonly Judged[], nameSpaces: boolean): string[] {
  const names = [...new Set(judged.map(({ attempt }) => attempt.name))];
  const rows = names.map((name) => {
    const mine = judged.filter(({ attempt }) => attempt.name === name);
    const [first] = mine;
    const cells = boxKinds.map((box) => cell(mine.find((one) => one.box === box)).padEnd(15));
    return `${name.padEnd(30)} ${cells.join(' ')} ${(first?.control ?? '').padEnd(16)} ${first?.attempt.ids.join(' ') ?? ''}`;
  });
  const head = `${'attempt'.padEnd(30)} ${boxKinds.map((box) => box.padEnd(15)).join(' ')} ${'outside'.padEnd(16)} fault`;
  return [head, ...rows, ...notes(judged, nameSpaces)];
}

function cell(one: Judged | undefined): string {
  return one === undefined ? '  –' : `${marks[one.verdict]} ${one.outcome}`;
}

function notes(judged: readonly Judged[], nameSpaces: boolean): string[] {
  return judged
    .filter(({ verdict }) => verdict !== 'held')
    .map(({ attempt, box, verdict, outcome, detail, control, canaries }) => {
      const wanted = attempt.expected[box]?.join(' or ') ?? '';
      const why =
        verdict === 'known'
          ? (knownGap(attempt, box, nameSpaces) ?? '')
          : verdict === 'unproven'
            ? `outside it came to ${control}, so it proves nothing`
            : `expected ${wanted}, got ${outcome} ${detail}${canaries > 0 ? `, with ${canaries} canaries` : ''}`;
      return `${marks[verdict]} ${box} ${attempt.name}: ${why}`;
    });
}

function factLine({ box, name, seen, holds }: Fact): string {
  return `${holds ? ' ' : '✗'} ${box.padEnd(7)} ${name.padEnd(32)} ${seen}`;
}

function missingLine({ wall, box, noticed }: MissingWall): string {
  const shown = noticed.slice(0, 4).join(', ');
  const more = noticed.length > 4 ? ` and ${noticed.length - 4} more` : '';
  const by = noticed.length === 0 ? 'NOT NOTICED' : `noticed by ${shown}${more}`;
  return `${noticed.length === 0 ? '✗' : ' '} without ${wall.padEnd(18)} ${box.padEnd(7)} ${by}`;
}

function summaryOf(report: AttackReport): string[] {
  const { judged, facts, oracles } = report.suite;
  const count = (box: BoxKind, verdict: Verdict) =>
    judged.filter((one) => one.box === box && one.verdict === verdict).length;
  const arrived = Object.values(report.controls.arrived).reduce((sum, one) => sum + one, 0);
  return [
    ...boxKinds
      .filter((box) => judged.some((one) => one.box === box))
      .map(
        (box) =>
          `${box}: ${count(box, 'held')} held, ${count(box, 'known')} known gaps (~), ${count(box, 'unproven')} unproven (?), ${count(box, 'failed')} failed (✗)`,
      ),
    `seen from outside: ${facts.filter(({ holds }) => holds).length} of ${facts.length} hold`,
    `canaries read: ${oracles.canaries} (controls: ${report.controls.canaries}); connections: ${oracles.connections.join() || 0} (controls: ${arrived}); folders changed outside: ${oracles.changedOutside}`,
    `Linux ${report.kernel}, as ${report.root ? 'root' : 'an ordinary user'}, agent and worker ${report.nameSpaces ? 'with' : 'without'} name spaces, shell commands ${VIEWS[report.view]}`,
    ...(report.nativeSkipped === undefined ? [] : [`native attacks skipped: ${report.nativeSkipped}`]),
  ];
}
