/** Writes a time as a person at this place says it, to the minute. */
export class LocalTime {
  readonly #format: Intl.DateTimeFormat;
  readonly #zone: string;

  /** @param zone IANA name; that of this machine if not given */
  constructor(zone?: string) {
    this.#format = new Intl.DateTimeFormat('en-GB', {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      ...(zone === undefined ? {} : { timeZone: zone }),
    });
    this.#zone = this.#format.resolvedOptions().timeZone;
  }

  /** @param time milliseconds since 1970 @returns as in `Sunday 22 November 2026 at 09:40 (Europe/Berlin)` */
  text(time: number): string {
    return `${this.#format.format(time)} (${this.#zone})`;
  }
}
