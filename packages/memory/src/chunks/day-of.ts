/** A day in a name: `20261102`, `2026-11-02`, not within a longer number. */
const DAY = /(?<![\d])(\d{4})(-?)(\d{2})\2(\d{2})(?![\d])/;
/** In headings only with dashes: a number of eight digits may have any meaning there. */
const DASHED_DAY = /(?<![\d-])(\d{4})(-)(\d{2})-(\d{2})(?![\d-])/;

/**
 * The day of a file, from its name. @param path with `/` @returns `YYYY-MM-DD`, empty without a day
 */
export function dayOfPath(path: string): string {
  return dayIn(DAY.exec(path.slice(path.lastIndexOf('/') + 1)));
}

/**
 * The day in a heading such as `Auto-captured -- 2026-11-02`. @returns `YYYY-MM-DD`, empty if there
 * is none
 */
export function dayOfHeading(heading: string): string {
  return dayIn(DASHED_DAY.exec(heading));
}

function dayIn(found: RegExpExecArray | null): string {
  if (found === null) return '';
  const day = `${found[1]}-${found[3]}-${found[4]}`;
  const time = Date.parse(`${day}T00:00:00Z`);
  // An invalid date either fails to parse or becomes another day.
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day ? '' : day;
}
