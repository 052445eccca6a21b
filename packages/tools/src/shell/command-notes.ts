import { LOCAL_NETWORK_HINT, NETWORK_HINT } from './output-hint.ts';

/** Only the beginning of a longer command is searched. */
const LOOK_AT = 16_384;

const LEFT_BEHIND =
  'what still ran when the command ended was ended with it; for a server use `background: true`, and the user is asked';
const ELSEWHERE =
  '/tmp and the home folder are empty for each command, and gone after it: keep what is needed later in the working folder';

/**
 * Matches places outside the working folder that are private to a command: as a word, or after `=`,
 * `:`, a quote or a redirection.
 */
const OWN_PLACE = /(?:^|[\s=:"'<>(])(?:\/(?:var\/)?tmp\/|~\/|\$HOME\b|\$\{HOME\}|\$TMPDIR\b|\$\(mktemp)/;
const LOCAL_ADDRESS = /\b(?:localhost|127\.0\.0\.1)\b|\[::1\]/i;
const WEB_ADDRESS = /\bhttps?:\/\//i;

/**
 * Notes on silent losses: processes that the command leaves, files outside its folder, and hosts it
 * can't reach. They depend on the command's text alone, so they hold whatever the command did.
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

/** Matches quoted or escaped text, up to its end or the end of the command. */
const QUOTED = /\\.|'[^']*'?|"(?:[^"\\]|\\.)*"?/gs;
/** Matches a `&` for the background: not a part of `&&`, `>&`, `<&`, `&>`, `|&`. */
const BACKGROUND = /(?<![&<>|])&(?![&>])/;

function leavesProcesses(text: string): boolean {
  return BACKGROUND.test(text.replaceAll(QUOTED, '_'));
}
