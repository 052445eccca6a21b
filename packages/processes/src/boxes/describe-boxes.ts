import type { BoxProbe, NodeLimits, ProbeReport, Wall } from '@bulkhead/sandbox';
import type { BoxLimits } from './box-limits.ts';

const MIB = 1024 ** 2;

/** The verified properties of one kind of box on this machine. */
export interface BoxDescription {
  readonly kind: string;
  readonly holds: boolean;
  readonly walls: readonly Wall[];
  /** One line for the user: isolation, limits and weaknesses. */
  readonly detail: string;
}

export function describeBoxes(
  { boxes, landlockAbi }: ProbeReport,
  limits: BoxLimits,
): readonly BoxDescription[] {
  const names: Readonly<Record<Wall, string>> = {
    landlock: `Landlock (version ${landlockAbi})`,
    seccomp: 'system call filter',
    namespaces: 'name spaces',
  };
  const describe = (kind: string, box: BoxProbe, own: readonly string[]): BoxDescription => {
    const { ok, walls, withoutNameSpaces } = box;
    const held = [walls.map((wall) => names[wall]).join(', '), ...own];
    const weaker = withoutNameSpaces === undefined ? [] : [weakerFor(withoutNameSpaces)];
    const detail = ok ? [...held, ...weaker].join('; ') : `none (${box.reason ?? box.failed.join(', ')})`;
    return { kind, holds: ok, walls: ok ? walls : [], detail };
  };
  return [
    describe('agent', boxes.agent, [limitsOf(limits.agent, boxes.agent)]),
    describe('worker', boxes.worker, [limitsOf(limits.worker, boxes.worker)]),
    describe('shell', boxes.shell, []),
  ];
}

function limitsOf({ maxDataBytes, maxOpenFiles, maxProcesses }: NodeLimits, { walls }: BoxProbe): string {
  const processes = walls.includes('namespaces') ? `, ${maxProcesses} processes and threads` : '';
  return `${maxDataBytes / MIB} MiB of memory, ${maxOpenFiles} open files${processes}`;
}

function weakerFor(reason: string): string {
  return `no name spaces (${reason}), so it sees which files exist outside, but can't open them`;
}
