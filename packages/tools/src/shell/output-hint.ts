/** Length of the output's end that is searched: errors come last. */
const LOOK_AT = 16_384;

export const NETWORK_HINT =
  'a command reaches only the hosts that its `hosts` names, through the proxy of its environment; without them it has no network: name the hosts it needs, and the user is asked';
export const LOCAL_NETWORK_HINT =
  'a command has a network of its own, where nothing of this machine answers, not even on localhost: start the server in the same command, or ask the user to look; hosts elsewhere are named in `hosts`, and the user is asked';

/** Errors that programs report for something a box lacks, each with its remedy. */
const HINTS: readonly (readonly [RegExp, string])[] = [
  [
    /invalid cross-device link|\bEXDEV\b|cross-device link not permitted/i,
    'a folder that was there before the command can not be renamed in one step here: use `mv`, which copies it, or make the new folder and move the files',
  ],
  [
    /value too large for defined data type|\bEOVERFLOW\b/i,
    'files of another owner can not be changed here: copy them and change the copies',
  ],
  [
    /could not resolve (?:host|proxy)|temporary failure in name resolution|name or service not known|\bgetaddrinfo\b|\bEAI_AGAIN\b|\bENOTFOUND\b|network is unreachable|\bENETUNREACH\b/i,
    NETWORK_HINT,
  ],
  [
    /(?:localhost|127\.0\.0\.1|::1)[^\n]{0,80}refused|refused[^\n]{0,80}(?:localhost|127\.0\.0\.1|::1)/i,
    LOCAL_NETWORK_HINT,
  ],
];

/** One line for a command that failed because its box lacks something; undefined for any other. */
export function outputHint(output: string): string | undefined {
  const end = output.slice(-LOOK_AT);
  return HINTS.find(([said]) => said.test(end))?.[1];
}
