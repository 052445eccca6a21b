import type { ClientService } from '@bulkhead/protocol/client';
import type { ServiceImpl } from '@connectrpc/connect';
import type { ConfirmedTime } from '../time/confirmed-time.ts';

/** A person's word that the wall clock is right. */
export function clockCalls(
  time: Pick<ConfirmedTime, 'confirmClock'>,
): Pick<ServiceImpl<typeof ClientService>, 'confirmClock'> {
  return {
    confirmClock: () => {
      const { now, changed, counted } = time.confirmClock();
      const countedSeconds = BigInt(Math.round(counted / 1_000));
      return { now: new Date(now).toISOString(), changed, countedSeconds };
    },
  };
}
