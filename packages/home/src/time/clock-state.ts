import * as z from 'zod';

const milliseconds = z.number().min(0);

const gapSchema = z.strictObject({
  /** `off`: the machine was off, so it may be time that passed. `clock`: the wall clock was set while the machine ran. */
  kind: z.enum(['off', 'clock']),
  /**
   * Difference of the wall clock from the expected time, in milliseconds: the smallest since the
   * gap began.
   */
  ahead: z.number(),
  /** Running time for which the clock has kept to it. */
  kept: milliseconds,
});

/** The state of time, in the form stored in the home. Every field is in milliseconds. */
export const clockStateSchema = z.strictObject({
  version: z.literal(1),
  /** Confirmed time: it never goes back, and starts at 0 with the first reading. */
  confirmed: milliseconds,
  /** The expected wall clock is `confirmed + offset`. */
  offset: z.number(),
  /** The reading before. */
  last: z.strictObject({ wall: z.number(), sinceBoot: milliseconds, boot: z.string().max(64) }),
  /** Running time for which the wall clock has agreed with the expected time; no more than a day. */
  kept: milliseconds,
  /** True from a start of the machine until it is known for how long it was off. */
  isOffTimeOpen: z.boolean(),
  /** The part of that which may still count without proof. */
  allowance: milliseconds,
  gap: gapSchema.optional(),
});

export type ClockState = Readonly<z.output<typeof clockStateSchema>>;
export type ClockGap = Readonly<z.output<typeof gapSchema>>;

/** One look at both clocks. */
export type ClockReading = ClockState['last'];
