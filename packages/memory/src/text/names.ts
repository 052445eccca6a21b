import { fold } from './words.ts';

/**
 * The speaker of a line of a note: `- Mara: …`, `**Mara:** …`, `Mara (19:05): …`, `[19:05] Mara:
 * …`, `Mara said: …`.
 */
const SPEAKER =
  /^\s{0,12}(?:[-*+>•]\s{1,4}|\d{1,3}[.)]\s{1,4})?(?:\[[^\]\n]{1,30}\]\s{0,4}|\(?\d{1,2}:\d{2}(?::\d{2})?\)?\s{1,4})?[*_]{0,3}(?<name>\p{Lu}[\p{L}\p{M}'’.-]{0,24}(?: \p{Lu}[\p{L}\p{M}'’.-]{0,24}){0,2})[*_]{0,3}\s{0,2}(?:[([][^)\]\n]{1,30}[)\]]\s{0,2})?(?: (?:said|says|wrote|writes|asked|replied))?[*_]{0,3}:/u;

/**
 * @returns The name, folded, or an empty string. Constant time: reads only the start of the line.
 */
export function speakerOf(line: string): string {
  const name = SPEAKER.exec(line.slice(0, 160))?.groups?.['name'];
  return name === undefined ? '' : fold(name);
}
