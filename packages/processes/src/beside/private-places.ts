import { foldName } from '@bulkhead/protocol';
import type { Overlay } from '@bulkhead/shield/analysis';

/** The part of the catalogue that says what lies in a folder, wherever that lies. */
export interface NamedMeanings {
  meaningOfPath(path: string, home: string): readonly Overlay[];
  mayMean(name: string, overlays: readonly Overlay[]): boolean;
}

/** Places in a folder that commands must not see, though their names alone are no credentials. */
export interface PrivatePlaces {
  /** False for a name that no such place has: a quick answer, for remembered listings too. */
  mayBe(name: string): boolean;
  /** @param entry.names components below the folder */
  has(entry: { readonly names: readonly string[]; readonly kind: 'folder' | 'link' | 'other' }): boolean;
}

const CLOSED: readonly Overlay[] = ['credentials', 'private', 'history'];
/** Many files of projects have such a name; a folder is one of a program. */
const CLOSED_FOLDERS: readonly Overlay[] = [...CLOSED, 'possible-credentials'];
/** No folder of a machine: places of the system are listed from the root. */
const ANYWHERE = '/-';
const ANY_HOME = '/-/home';
/** Names, folded, that only the profile of a browser has: cookies and visited pages lie beside them. */
const PROFILE_MARKS = new Set(['login data', 'key3.db', 'key4.db', 'cookies.sqlite', 'signons.sqlite']);

/** Private data, history and credentials of the catalogue at any depth: in the copy of a home too. */
export function privatePlaces(meanings: NamedMeanings): PrivatePlaces {
  const means = (path: readonly string[], start: string, overlays: readonly Overlay[]) =>
    meanings.meaningOfPath([start, ...path].join('/'), ANY_HOME).some((one) => overlays.includes(one));
  return {
    mayBe: (name) => meanings.mayMean(name, CLOSED_FOLDERS),
    has({ names, kind }) {
      if (!meanings.mayMean(names.at(-1) ?? '', CLOSED_FOLDERS)) return false;
      const overlays = kind === 'folder' ? CLOSED_FOLDERS : CLOSED;
      if (means(names, ANYWHERE, overlays)) return true;
      // `Documents` is private in a home only, and an ordinary name elsewhere; `.local/share/x` is in any copy of one.
      const dotted = names.findLastIndex((name) => name.startsWith('.'));
      return dotted >= 0 && means(names.slice(dotted), ANY_HOME, overlays);
    },
  };
}

/** Names the place that is hidden for one: of a browser's profile all. */
export function wholeProfile(names: readonly string[]): readonly string[] {
  return PROFILE_MARKS.has(foldName(names.at(-1) ?? '')) ? names.slice(0, -1) : names;
}

/** Places that lie in no other one of a list. */
export function outermostOf(places: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const known = new Map(places.map((names) => [names.join('/'), names]));
  const isInner = (names: readonly string[]) =>
    names.some((_, at) => at > 0 && known.has(names.slice(0, at).join('/')));
  return [...known.values()].filter((names) => !isInner(names));
}
