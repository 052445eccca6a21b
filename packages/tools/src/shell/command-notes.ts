import { LOCAL_NETWORK_HINT, NETWORK_HINT } from './output-hint.ts';

/** Of a longer command, only the beginning is looked at. */
const LOOK_AT = 16_384;

const LEFT_BEHIND =
  'what still ran when the command ended was ended with it; for a server use `background: true`, and the user is asked';
const ELSEWHERE =
  '/tmp and the home folder are empty for each command, and gone after it: keep what is needed later in the working folder';

/** Places outside the working folder that a command has for itself: as a word, or after `=`, `:`, a quote or a redirection. */
const OWN_PLACE = /(?:^|[\s=:"'<>(])(?:\/(?:var\/)?tmp\/|~\/|\$HOME\b|\$\{HOME\}|\$TMPDIR\b|\$\(mktemp)/;
const LOCAL_ADDRESS = /\b(?:localhost|127\.0\.0\.1)\b|\[::1\]/i;
const WEB_ADDRESS = /\bhttps?:\/\//i;

/**
 * What would otherwise vanish without a word: processes that the command leaves, files outside its folder, and what it can't reach. Told by
 * the command's own text, so each is true whatever it did.
 *
 * @param facts.failed true if it ended with an error
 * @param facts.reachesHosts true if it was given hosts
 */
export function commandNotes(
  command: string,
  workingFolder: string,
  { failed, reachesHosts }: { readonly failed: boolean; readonly reachesHosts: boolean },
): readonly string[] {
  const text = command.slice(0, LOOK_AT).replaceAll(workingFolder, '.');
  return [
    ...(leavesProcesses(text) ? [LEFT_BEHIND] : []),
    ...(OWN_PLACE.test(text) ? [ELSEWHERE] : []),
    ...(failed && LOCAL_ADDRESS.test(text) ? [LOCAL_NETWORK_HINT] : []),
    ...(failed && !reachesHosts && !LOCAL_ADDRESS.test(text) && WEB_ADDRESS.test(text) ? [NETWORK_HINT] : []),
  ];
}

/** What is quoted or escaped, to its end or the text's. */
const QUOTED = /\\.|'[^']*'?|"(?:[^"\\]|\\.)*"?/gs;
/** What puts a command into the background: no part of `&&`, `>&`, `<&`, `&>`, `|&`. */
const BACKGROUND = /(?<![&<>|])&(?![&>])/;

function leavesProcesses(text: string): boolean {
  return BACKGROUND.test(text.replaceAll(QUOTED, '_'));
}
