import { mkdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { boxFixture } from '../testing/box-fixture.ts';
import { runOnOverlay } from '../testing/overlay-run.ts';

/**
 * Processor time of all children that have ended, milliseconds; the kernel counts it in hundredths
 * of a second.
 */
function childrenMs(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

it('a launcher that waits for its command uses no processor', async () => {
  await using fixture = await boxFixture();
  const work = `${fixture.folder}/waiting`;
  mkdirSync(work);
  const took = async (command: string) => {
    const before = childrenMs();
    const scratch = `${fixture.folder}/scratch of ${command}`;
    const { launcherPath } = fixture;
    const end = await runOnOverlay({ launcherPath, work, scratch, command, verdict: 'commit' });
    expect(end.records.join(' ')).toContain('ended 0');
    return childrenMs() - before;
  };
  // The start and the commit are the same for both. One that is busy meanwhile uses 2,000.
  const short = await took('sleep 0');
  expect((await took('sleep 2')) - short).toBeLessThan(300);
});
