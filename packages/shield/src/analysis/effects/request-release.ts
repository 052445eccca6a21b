import type { Effect } from './effect.ts';
import type { Overlay } from './place.ts';

/** Places for which the user's words can decide; all others need a person's confirmation. */
const RELEASED: ReadonlySet<Overlay> = new Set(['commands', 'private', 'devices', 'logs', 'history']);
const MAX_REQUEST = 4000;

/**
 * True if the user's own words ask for an effect: they contain a word that asks for this kind, and
 * the effect has no aspect that the user would not expect.
 *
 * @param beginnings of words; an empty list releases nothing
 */
export function asksFor(request: string | undefined, beginnings: readonly string[], effect: Effect): boolean {
  if (effect.place?.overlays.some((overlay) => !RELEASED.has(overlay)) === true) return false;
  return speaksOf(request, beginnings, effect);
}

/** The same for any place, for effects that need a person's confirmation anyway. */
export function speaksOf(
  request: string | undefined,
  beginnings: readonly string[],
  { verb, place, object }: Effect,
): boolean {
  if (request === undefined || beginnings.length === 0) return false;
  if (verb === 'delete' && place?.zone === 'root' && /\*[^/]*$/.test(object)) return false;
  if (verb === 'administer' && object.includes('…')) return false;
  return orderedIn(request.slice(0, MAX_REQUEST)).some((text) =>
    beginnings.some((beginning) => text.includes(` ${beginning}`)),
  );
}

/** Text after one of these words in a sentence is not requested. */
const REFUSING =
  / (?:don t|dont|do not|does not|never|not to|must not|should not|may not|can t|cannot|without|avoid|instead of|rather than|nicht|kein|keine|keinen|ohne|nie|ne pas|sans|jamais|sin|nunca)(?= (?!forget|hesitate|worry))/u;

/** Returns each sentence as words between blanks, up to the part that forbids something. */
function orderedIn(request: string): readonly string[] {
  return request
    .toLowerCase()
    .split(/[!?;\n]|\.(?=\s|$)/u)
    .map((sentence) => ` ${sentence.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()} `)
    .map((words) => words.slice(0, REFUSING.exec(words)?.index));
}
