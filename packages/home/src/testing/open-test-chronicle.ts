import { Chronicle, Rollbacks } from '@bulkhead/chronicle';

/** A chronicle in a separate folder, made if missing. */
export function openTestChronicle(folder: string) {
  const chronicle = Chronicle.open({
    folder,
    retention: { snapshots: 100, days: 30, maxBytes: 1e12 },
    now: Date.now,
    confirmed: () => 0,
  });
  return { chronicle, rollbacks: new Rollbacks({ chronicle, journals: `${folder}/rollbacks` }) };
}
