import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import type { MachineClock } from '@bulkhead/protocol';

const BOOT_ID = '/proc/sys/kernel/random/boot_id';

/** The clock of this machine that counts from its start. */
export function systemMachineClock(): MachineClock {
  return { sinceBoot: () => uptime() * 1_000, boot: bootId() };
}

function bootId(): string {
  try {
    return readFileSync(BOOT_ID, 'utf8').trim();
  } catch {
    return '';
  }
}
