import type { AuditSink } from '@bulkhead/audit';
import type { ConfirmedTime } from '@bulkhead/home/time/confirmed-time';
import type { ClientService } from '@bulkhead/protocol/client';
import type { ServiceImpl } from '@connectrpc/connect';

/**
 * The user's confirmation that the wall clock is right. Removal by age relies on it, so it is
 * audited first.
 */
export function clockCalls(time: Pick<ConfirmedTime, 'confirmable' | 'confirmClock'>, audit: AuditSink) {
  return {
    confirmClock: async () => {
      const { changed: isNeeded, now: clock, counted: passed } = time.confirmable;
      if (isNeeded) {
        const details = { clock: timeText(clock), countedSeconds: secondsOf(passed) };
        await audit.append([
          { step: 'CLOCK_CONFIRMED', action: '', hash: '', session: '', tool: '', details },
        ]);
      }
      const { now, changed, counted } = isNeeded ? time.confirmClock() : time.confirmable;
      return { now: timeText(now), changed, countedSeconds: BigInt(secondsOf(counted)) };
    },
  } satisfies Partial<ServiceImpl<typeof ClientService>>;
}

const timeText = (time: number): string => new Date(time).toISOString();
const secondsOf = (milliseconds: number): number => Math.round(milliseconds / 1_000);
