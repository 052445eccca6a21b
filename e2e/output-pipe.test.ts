import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openAuditLog } from '@bulkhead/audit';
import { systemClock, systemTimers } from '@bulkhead/protocol';
import { expect, it } from 'vitest';
import { useStage } from './support/use-stage.ts';

const ENTRIES = 1_000;

const stage = useStage();

it('writes everything to a pipe whose reader takes its time [I1]', async () => {
  const at = stage();
  mkdirSync(at.layout.state, { recursive: true, mode: 0o700 });
  const log = await openAuditLog(at.layout.audit, { clock: systemClock, timers: systemTimers });
  const about = { step: 'PROPOSED', hash: '', session: 's', tool: 'read', details: {} } as const;
  await log.append(Array.from({ length: ENTRIES }, (_, n) => ({ ...about, action: `a${n}` })));
  await log.close();
  const program = join(import.meta.dirname, '..', 'bulkhead');
  const printed = execFileSync(
    'sh',
    ['-c', '"$0" audit list --json --limit 5000 | { sleep 1; cat; }', program],
    { env: { ...process.env, BULKHEAD_HOME: at.layout.root }, encoding: 'utf8' },
  );
  expect(printed.trimEnd().split('\n')).toHaveLength(ENTRIES);
});
