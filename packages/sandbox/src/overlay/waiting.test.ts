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
  const before = childrenMs();
  const end = await runOnOverlay({
    launcherPath: fixture.launcherPath,
    work,
    scratch: `${fixture.folder}/waiting-scratch`,
    command: 'sleep 1',
    verdict: 'commit',
  });
  expect(end.records.join(' ')).toContain('ended 0');
  expect(childrenMs() - before).toBeLessThan(300);
});
