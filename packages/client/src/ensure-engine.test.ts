import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { homeLayout } from '@bulkhead/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ensureEngine } from './ensure-engine.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bulkhead-ensure-'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

it('the loser of the race to start does not wait for a winner that failed [P8]', async () => {
  // The first start meets another start in progress; that one dies, so the second start is alone
  // and fails on its own.
  const supervisor = join(root, 'supervisor.mjs');
  writeFileSync(
    supervisor,
    `import { existsSync, writeFileSync, writeSync } from 'node:fs';
     const mark = process.env.BULKHEAD_HOME + '/winner-was-there';
     const report = existsSync(mark)
       ? { type: 'failed', code: 'sandbox_unavailable', message: 'a wall does not hold', fix: 'Mend it.' }
       : { type: 'failed', code: 'already_running', message: 'an engine runs', fix: 'Use it.' };
     writeFileSync(mark, '');
     writeSync(3, JSON.stringify(report) + '\\n');`,
  );
  const begun = performance.now();
  const starting = ensureEngine(homeLayout(join(root, 'home')), {
    supervisor: pathToFileURL(supervisor),
    env: {},
  });
  await expect(starting).rejects.toMatchObject({
    code: 'sandbox_unavailable',
    message: 'a wall does not hold',
  });
  expect(performance.now() - begun).toBeLessThan(20_000);
});
