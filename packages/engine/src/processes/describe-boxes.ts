import {
  AGENT_BOX_LIMITS,
  type BoxProbe,
  type NodeLimits,
  type ProbeReport,
  type Wall,
  WORKER_BOX_LIMITS,
} from '@bulkhead/sandbox';

const GIB = 1024 ** 3;

/** What truly holds of each box here, one line each, for a person: walls, limits, and what is weaker than it could be. */
export function describeBoxes({ boxes, landlockAbi }: ProbeReport): readonly string[] {
  const names: Readonly<Record<Wall, string>> = {
    landlock: `Landlock (version ${landlockAbi})`,
    seccomp: 'system call filter',
    namespaces: 'name spaces',
  };
  const describe = (kind: string, box: BoxProbe, limits: readonly string[]): string => {
    if (!box.ok) return `${kind}: none (${box.reason ?? box.failed.join(', ')})`;
    const walls = box.walls.map((wall) => names[wall]).join(', ');
    const weaker = box.withoutNameSpaces === undefined ? '' : `; ${withoutNameSpaces(box.withoutNameSpaces)}`;
    return `${kind}: ${[walls, ...limits].join('; ')}${weaker}`;
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

function withoutNameSpaces(reason: string): string {
  return `no name spaces (${reason}), so it sees which files exist outside, but can't open them`;
}
