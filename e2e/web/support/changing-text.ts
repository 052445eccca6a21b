/** Texts that differ from run to run: ids, times, sizes. */
export const CHANGING_TEXT: readonly (readonly [RegExp, string])[] = [
  [/\/tmp\/bulkhead-e2e-\w+/g, 'FOLDER'],
  [/[0-9A-HJKMNP-TV-Z]{26}/g, 'ID'],
  [/(just now|\d+ (min|h|d) ago)/g, 'AGO'],
  [/ \[(active|expanded)\]/g, ''],
  [/\d[\d.,:]*(k|M)?\b/g, 'N'],
];
