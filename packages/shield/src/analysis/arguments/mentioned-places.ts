import type { JudgedCall } from './judged-call.ts';
import { absoluteNames, type Ground, groundOf, type PathPlace, placeOf } from './path-place.ts';

/** Paths and file names in a text, and their kinds. */
export interface MentionedPlaces {
  readonly credentials: string | undefined;
  readonly own: string | undefined;
  readonly identity: string | undefined;
  readonly startUp: string | undefined;
  /** Private data, the system's accounts, another user's home. */
  readonly sensitive: string | undefined;
  /** A folder near the root, which contains almost everything. */
  readonly top: string | undefined;
  /** Outside working folder and scratch. */
  readonly outside: string | undefined;
}

const MAX_WORDS = 400;
const PATH_WORD = /[~$./\\%\w*{},-]+/g;
const MAX_PATH = 512;

/** @param text prose, or anything else that may name a path */
export function mentionedPlaces(text: string, call: JudgedCall): MentionedPlaces {
  const ground = groundOf(call.workingFolder, call.home);
  const words = new Set((text.match(PATH_WORD) ?? []).filter((word) => /[./\\~]/.test(word)).map(trimmed));
  const mentions = [...words]
    .filter(isPath)
    .slice(0, MAX_WORDS)
    .map((path) => mentionOf(path, ground));
  const first = (holds: (mention: Mention) => boolean) => mentions.find(holds)?.path;
  return {
    credentials: first(({ place }) => place.credentials),
    own: first(({ place }) => place.own),
    identity: first(({ place }) => place.identity),
    startUp: first(({ place }) => place.startUp || place.runBy !== undefined),
    sensitive: first(({ rooted, place }) => rooted && isSensitive(place)),
    top: first(({ rooted, top }) => rooted && top),
    outside: first(
      ({ rooted, place }) => rooted && place.zone !== 'working-folder' && place.zone !== 'scratch',
    ),
  };
}

/** `row.key`, `process.env.TOKEN`: a member of an object in a program, not a file. */
const MEMBER = /^\w+(?:\.\w+){0,8}\.(?:key|keys|token|secret|env\.\w+)$/i;

interface Mention {
  readonly path: string;
  readonly place: PathPlace;
  /** True if the path has an explicit start. */
  readonly rooted: boolean;
  readonly top: boolean;
}

function mentionOf(path: string, ground: Ground): Mention {
  const names = absoluteNames(path, ground);
  const place = placeOf(names, 'write', ground);
  const top = place.zone === 'root' || (place.zone === 'home' && names.length === ground.home.length);
  return { path, place, rooted: /^[~$/%\\]/.test(path), top };
}

function isSensitive(place: PathPlace): boolean {
  return place.privateData || place.startUp || place.zone === 'other-home';
}

/** Removes punctuation at the end of a sentence, and a last star. */
function trimmed(word: string): string {
  return word
    .slice(0, MAX_PATH)
    .replace(/(?<=[^./])[.,:;]+$/, '')
    .replace(/(?<=.)\/\*+$/, '/');
}

function isPath(path: string): boolean {
  if (MEMBER.test(path) || !/[./\\~]/.test(path)) return false;
  return /\w|^[~/]/.test(path) && !/^\d+(?:\.\d+)*$/.test(path);
}
