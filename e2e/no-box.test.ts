import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { ofType } from './support/event-lines.ts';
import { useStage } from './support/use-stage.ts';

const stage = useStage();

/** Runs the command where no program may make name spaces: neither the launcher nor bwrap. */
const WITHOUT_NAME_SPACES = [
  'unshare',
  '--user',
  '--map-root-user',
  'bash',
  '-c',
  'echo 0 > /proc/sys/user/max_user_namespaces && exec "$0" "$@"',
];
const possible =
  spawnSync(WITHOUT_NAME_SPACES[0] ?? '', [...WITHOUT_NAME_SPACES.slice(1), 'true']).status === 0;

describe('where no program may make name spaces', () => {
  beforeEach((context) => {
    if (!possible) context.skip('this machine does not let them be taken away');
  });

  it('agents and file tools keep their first wall, and a command runs only after approval [B2] [FR3]', async () => {
    const under = { under: WITHOUT_NAME_SPACES };
    const denied = await stage().cli(
      ['run', '--isolated', '--json', '--approve', 'deny', 'run `touch made`'],
      under,
    );
    expect(denied.code).toBe(3);
    expect(ofType(denied.events, 'shield_verdict')).toMatchObject([
      { decision: 'escalate', rule: 'commands/unboxed', reason: expect.stringContaining('all your rights') },
    ]);
    expect(existsSync(`${stage().folder}/made`)).toBe(false);
    // An approval in advance doesn't apply to a command that runs in no box.
    const allowed = await stage().cli(
      ['run', '--isolated', '--json', '--approve', 'allow', 'run `touch made`'],
      under,
    );
    expect(allowed.code).toBe(3);
    expect(ofType(allowed.events, 'tool_output')[0]?.text).toContain('--approve allow does not answer');
    expect(existsSync(`${stage().folder}/made`)).toBe(false);
  });

  it('a dry run of a command describes it and starts nothing [A5]', async () => {
    const args = ['run', '--isolated', '--dry-run', '--approve', 'allow', 'run `touch made`'];
    const { code } = await stage().cli(args, { under: WITHOUT_NAME_SPACES });
    expect(code).toBe(0);
    expect(existsSync(`${stage().folder}/made`)).toBe(false);
  });
});
