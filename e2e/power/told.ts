import type { SessionEvent } from '@bulkhead/protocol';

/**
 * A fact that a client received, and when its own process had it: nanoseconds of the monotonic
 * clock.
 */
export type Told = { readonly at: number } & (
  | { readonly kind: 'session'; readonly session: string }
  /** A message was taken. */
  | { readonly kind: 'acknowledged'; readonly message: string }
  | { readonly kind: 'event'; readonly event: SessionEvent }
);

/** The same clock as the recorder's. */
export function monotonicNow(): number {
  return Number(process.hrtime.bigint());
}
