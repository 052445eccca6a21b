/** One request and its answer, times as `monotonicMs` tells them. */
export interface Exchange {
  readonly model: string;
  /** When the whole request was read. */
  readonly requestAt: number;
  /** When the answer's last byte had been given to the kernel; undefined while the answer goes on. */
  readonly lastByteAt: number | undefined;
  readonly bodyText: string;
}

/** Time from the end of each answer to the next request, milliseconds. */
export function gapsBetween(exchanges: readonly Exchange[]): readonly number[] {
  return exchanges.slice(1).flatMap(({ requestAt }, index) => {
    const before = exchanges[index]?.lastByteAt;
    return before === undefined ? [] : [requestAt - before];
  });
}
