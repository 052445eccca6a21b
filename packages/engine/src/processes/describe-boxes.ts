import {
  AGENT_BOX_LIMITS,
  type BoxProbe,
  type NodeLimits,
  type ProbeReport,
  type Wall,
  WORKER_BOX_LIMITS,
} from '@bulkhead/sandbox';

const GIB = 1024 ** 3;

/** What truly holds of one kind of box here. */
export interface BoxDescription {
  readonly kind: string;
  readonly holds: boolean;
  readonly walls: readonly Wall[];
  /** One line for a person: walls, limits, and what is weaker than it could be. */
  readonly detail: string;
}

export function describeBoxes({ boxes, landlockAbi }: ProbeReport): readonly BoxDescription[] {
  const names: Readonly<Record<Wall, string>> = {
    landlock: `Landlock (version ${landlockAbi})`,
    seccomp: 'system call filter',
    namespaces: 'name spaces',
  };
  const describe = (kind: string, box: BoxProbe, limits: readonly string[]): BoxDescription => {
    const { ok, walls, withoutNameSpaces } = box;
    const held = [walls.map((wall) => names[wall]).join(', '), ...limits];
    const weaker = withoutNameSpaces === undefined ? [] : [weakerFor(withoutNameSpaces)];
    const detail = ok ? [...held, ...weaker].join('; ') : `none (${box.reason ?? box.failed.join(', ')})`;
    return { kind, holds: ok, walls: ok ? walls : [], detail };
  };
  return [
    describe('agent', boxes.agent, [limitsOf(AGENT_BOX_LIMITS, boxes.agent)]),
    describe('worker', boxes.worker, [limitsOf(WORKER_BOX_LIMITS, boxes.worker)]),
    describe('shell', boxes.shell, []),
  ];
}

function limitsOf({ maxDataBytes, maxOpenFiles, maxProcesses }: NodeLimits, { walls }: BoxProbe): string {
  const processes = walls.includes('namespaces') ? `, ${maxProcesses} processes and threads` : '';
  return `${maxDataBytes / GIB} GiB, ${maxOpenFiles} open files${processes}`;
}

function weakerFor(reason: string): string {
  return `no name spaces (${reason}), so it sees which files exist outside, but can't open them`;
}
