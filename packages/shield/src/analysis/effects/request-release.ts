import type { Effect } from './effect.ts';
import type { Overlay } from './place.ts';

/** Places about which words can decide; every other is a person's to confirm. */
const RELEASED: ReadonlySet<Overlay> = new Set(['commands', 'private', 'devices', 'logs', 'history']);
const MAX_REQUEST = 4000;

/**
 * Tells whether the user's own words ask for an effect: one of the words by which people ask for this kind, and nothing
 * about it that they would not expect.
 *
 * @param beginnings of words; none releases nothing
 */
export function asksFor(request: string | undefined, beginnings: readonly string[], effect: Effect): boolean {
  if (effect.place?.overlays.some((overlay) => !RELEASED.has(overlay)) === true) return false;
  return speaksOf(request, beginnings, effect);
}

/** The same wherever it is, for what is a person's to confirm even so. */
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

/** What stands behind one of these in a sentence is not asked for. */
const REFUSING =
  / (?:don t|dont|do not|does not|never|not to|must not|should not|may not|can t|cannot|without|avoid|instead of|rather than|nicht|kein|keine|keinen|ohne|nie|ne pas|sans|jamais|sin|nunca)(?= (?!forget|hesitate|worry))/u;

/** Each sentence as words between blanks, up to where it says what should not be done. */
function orderedIn(request: string): readonly string[] {
  return request
    .toLowerCase()
    .split(/[!?;\n]|\.(?=\s|$)/u)
    .map((sentence) => ` ${sentence.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()} `)
    .map((words) => words.slice(0, REFUSING.exec(words)?.index));
}
