import { loadConfig } from '@bulkhead/home/config/load-config';
import type { BoxProbe, ProbeReport } from '@bulkhead/sandbox';
import { describe, expect, it } from 'vitest';
import { boxLimits } from './box-limits.ts';
import { describeBoxes } from './describe-boxes.ts';

const limits = boxLimits(loadConfig('/nowhere/config.yaml'));
const whole: BoxProbe = { ok: true, failed: [], walls: ['landlock', 'seccomp', 'namespaces'] };
const shell: BoxProbe = { ok: true, failed: [], walls: ['namespaces', 'seccomp'] };

function described(boxes: Partial<ProbeReport['boxes']>) {
  const report = { ok: true, landlockAbi: 7, boxes: { agent: whole, worker: whole, shell, ...boxes } };
  return describeBoxes(report, limits);
}

describe('describeBoxes', () => {
  it('tells walls and limits of every box [D5]', () => {
    expect(described({}).map(({ kind, detail }) => `${kind}: ${detail}`)).toEqual([
      'agent: Landlock (version 7), system call filter, name spaces; 2048 MiB of memory, 512 open files, 128 processes and threads',
      'worker: Landlock (version 7), system call filter, name spaces; 3072 MiB of memory, 1024 open files, 256 processes and threads',
      'shell: name spaces, system call filter',
    ]);
  });

  it('tells what is weaker where the system refuses name spaces, and claims no limit that is not set', () => {
    const refused: BoxProbe = {
      ok: true,
      failed: [],
      walls: ['landlock', 'seccomp'],
      withoutNameSpaces: 'errno 1',
    };
    const [agent] = described({ agent: refused });
    expect(agent).toEqual({
      kind: 'agent',
      holds: true,
      walls: ['landlock', 'seccomp'],
      detail:
        "Landlock (version 7), system call filter; 2048 MiB of memory, 512 open files; no name spaces (errno 1), so it sees which files exist outside, but can't open them",
    });
  });

  it('claims no wall of a box that does not hold', () => {
    const leaking: BoxProbe = { ...shell, ok: false, failed: ['read-secret'] };
    expect(described({ shell: leaking }).at(-1)).toEqual({
      kind: 'shell',
      holds: false,
      walls: [],
      detail: 'none (read-secret)',
    });
  });
});
