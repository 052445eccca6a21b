/** How much of an output's end is looked through: errors come last. */
const LOOK_AT = 16_384;

/** What programs say when they meet what an overlay can't do, and the way out. */
const HINTS: readonly (readonly [RegExp, string])[] = [
  [
    /invalid cross-device link|\bEXDEV\b|cross-device link not permitted/i,
    'a folder that was there before the command can not be renamed in one step here: use `mv`, which copies it, or make the new folder and move the files',
  ],
  [
    /value too large for defined data type|\bEOVERFLOW\b/i,
    'files of another owner can not be changed here: copy them and change the copies',
  ],
];

/** One line for a command that failed over what an overlay can't do; undefined for any other. */
export function outputHint(output: string): string | undefined {
  const end = output.slice(-LOOK_AT);
  return HINTS.find(([said]) => said.test(end))?.[1];
}
