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
  const text = ` ${request
    .slice(0, MAX_REQUEST)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')}`;
  return beginnings.some((beginning) => text.includes(` ${beginning}`));
}
