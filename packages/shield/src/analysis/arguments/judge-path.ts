import type { Finding } from '../effects/finding.ts';
import { unescapeText } from './decode-text.ts';
import { invisibleIn, visible } from './invisible.ts';
import type { ArgumentContext } from './judged-call.ts';
import { absoluteNames, type Ground, type PathPlace, placeOf } from './path-place.ts';
import { quoted } from './quoted.ts';
import { type ArgumentRule, findingOf } from './rules.ts';

export type PathUse = 'read' | 'write' | 'delete';

const MAX_SPELLINGS = 24;
const MAX_PATH = 4_096;
/** Well-known names that wildcards are tested against: a pattern accesses every file it matches. */
const LURES = [
  '.ssh',
  '.aws',
  '.env',
  '.netrc',
  '.gnupg',
  '.kube',
  '.npmrc',
  'id_rsa',
  'id_ed25519',
  'shadow',
  '.docker',
];

/**
 * Judges one path argument in every spelling that a program may resolve it to.
 *
 * @param text as in the call
 */
export function judgePath(
  text: string,
  use: PathUse,
  ground: Ground,
  context: ArgumentContext,
): readonly Finding[] {
  const { preset } = context.options;
  const shown = quoted(text);
  if (text.length > MAX_PATH)
    return findingOf('not-judged', preset, `names a path of ${text.length} characters`);
  const invisible = invisibleIn(text);
  if (invisible !== undefined) {
    return findingOf(
      'disguised-path',
      preset,
      `names the path ${shown} with invisible characters (${invisible.shown})`,
    );
  }
  const plain = judgeSpellings([text], use, ground, context, shown);
  const decoded = unescapeText(text);
  if (decoded === text) return plain;
  const hidden = judgeSpellings([decoded], use, ground, context, shown);
  if (hidden.length === 0 && !/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(decoded)) return plain;
  return [
    ...plain,
    ...hidden,
    ...findingOf('disguised-path', preset, `writes the path ${shown} in an encoding`),
  ];
}

function judgeSpellings(
  texts: readonly string[],
  use: PathUse,
  ground: Ground,
  context: ArgumentContext,
  shown: string,
): readonly Finding[] {
  const spellings = texts.flatMap(expandBraces);
  if (spellings.length > MAX_SPELLINGS) {
    return findingOf('not-judged', context.options.preset, `names too many paths at once: ${shown}`);
  }
  return spellings.flatMap((spelling) =>
    expandWildcards(spelling.trim()).flatMap((path) => {
      const names = absoluteNames(visible(path), ground);
      const place = placeOf(names, use === 'read' ? 'read' : 'write', ground);
      return rulesOf(place, names, use, ground, context).flatMap(([rule, what]) =>
        findingOf(rule, context.options.preset, `${what}: ${shown}`),
      );
    }),
  );
}

type Hit = readonly [rule: ArgumentRule, what: string];

function rulesOf(
  place: PathPlace,
  names: readonly string[],
  use: PathUse,
  ground: Ground,
  context: ArgumentContext,
): readonly Hit[] {
  const always: Hit[] = [];
  if (place.credentials) always.push(['credentials', `would ${use} a file that may hold credentials`]);
  if (place.own) always.push(['own-files', `would ${use} Bulkhead's own files`]);
  if (use === 'read') return [...always, ...readRules(place, context)];
  return [
    ...always,
    ...writeRules(place, use),
    ...(use === 'delete' ? deleteRules(place, names, ground) : []),
  ];
}

function readRules(place: PathPlace, { outgoing }: ArgumentContext): readonly Hit[] {
  if (outgoing && place.zone !== 'working-folder' && place.zone !== 'scratch') {
    return [['private-data-sent', 'would send a file from outside the working folder']];
  }
  if (place.privateData) return [['private-data', 'would read private data']];
  return place.zone === 'other-home' ? [['other-home', 'would read in the home of another user']] : [];
}

function writeRules(place: PathPlace, use: 'write' | 'delete'): readonly Hit[] {
  return [...profileRules(place, use), ...obeyedRules(place, use), ...zoneRules(place, use)];
}

function profileRules(place: PathPlace, use: 'write' | 'delete'): readonly Hit[] {
  if (place.identity) return [['identity-rewritten', `would ${use} who the agent is or what it can do`]];
  const told = `would ${use} instructions that the agent receives each time`;
  if (use === 'delete') return place.standing || place.memory ? [['identity-rewritten', told]] : [];
  return place.standing ? [['profile-file', told]] : [];
}

function obeyedRules(place: PathPlace, use: 'write' | 'delete'): readonly Hit[] {
  const hits: Hit[] = [];
  if (place.startUp) hits.push(['start-up', `would ${use} a file that the system or a login obeys`]);
  if (place.runBy === 'git') hits.push(['start-up', `would ${use} a file that git runs or obeys`]);
  else if (place.runBy !== undefined && !place.startUp) {
    hits.push(['executed-later', `would ${use} a file that is run automatically by ${place.runBy}`]);
  }
  if (place.guard) hits.push(['security-setting', `would ${use} security settings of this machine`]);
  if (place.evidence && (use === 'delete' || place.zone === 'system')) {
    hits.push(['destroys-evidence', `would ${use} records of past actions`]);
  }
  return hits;
}

function zoneRules(place: PathPlace, use: 'write' | 'delete'): readonly Hit[] {
  switch (place.zone) {
    case 'other-home':
      return [['other-home-write', `would ${use} in the home of another user`]];
    case 'home':
    case 'elsewhere':
      return [
        [use === 'delete' ? 'outside-delete' : 'outside-write', `would ${use} outside the working folder`],
      ];
    case 'system':
    case 'root':
      return place.startUp ? [] : [['system-write', `would ${use} in the system`]];
    default:
      return [];
  }
}

function deleteRules(place: PathPlace, names: readonly string[], ground: Ground): readonly Hit[] {
  const all = [[], ground.home, ground.workingFolder, ['home'], ['users']].some(
    (folder) => folder.length === names.length && folder.every((name, at) => names[at] === name),
  );
  if (all || (names.length === 1 && (place.zone === 'system' || place.zone === 'other-home'))) {
    return [['deletes-root', 'would delete all of a folder that everything else lies in']];
  }
  return place.zone === 'scratch' ? [['outside-delete', 'would delete outside the working folder']] : [];
}

/** `{a,b}` in a path, one level at a time. */
function expandBraces(path: string): readonly string[] {
  const braces = /\{([^{}]*,[^{}]*)\}/.exec(path);
  if (braces === null) return [path];
  const before = path.slice(0, braces.index);
  const after = path.slice(braces.index + braces[0].length);
  return (braces[1] ?? '')
    .split(',')
    .slice(0, MAX_SPELLINGS)
    .flatMap((choice) => [`${before}${choice}${after}`])
    .flatMap((each) => (each.length > MAX_PATH || each.split('{').length > 4 ? [each] : expandBraces(each)));
}

/**
 * A wildcard path also means each well-known secret that it matches; a trailing star means the
 * folder.
 */
function expandWildcards(path: string): readonly string[] {
  const names = path.split('/');
  const at = names.findIndex((name) => /[*?[]/.test(name));
  const wild = names[at];
  if (wild === undefined) return [path];
  const fold = names.slice(0, at).join('/');
  const folder = fold === '' && path.startsWith('/') ? '/' : fold;
  const rest = names.slice(at + 1);
  const base = /^\*+$/.test(wild) ? [folder] : [path];
  const found = /[^*]/.test(wild) ? LURES.filter((name) => wildcardMatches(wild, name)) : [];
  return [...base, ...found.map((name) => [...names.slice(0, at), name, ...rest].join('/'))].map((each) =>
    each === '' ? '.' : each,
  );
}

/** Matches `*`, `?` and `[…]` in one component; time is the product of both lengths. */
function wildcardMatches(pattern: string, name: string): boolean {
  const parts = pattern.match(/\[!?[^\]]*\]|./gu) ?? [];
  let reached: ReadonlySet<number> = new Set([0]);
  for (const part of parts.slice(0, 64)) reached = step(part, name, reached);
  return reached.has(name.length);
}

function step(part: string, name: string, from: ReadonlySet<number>): ReadonlySet<number> {
  const to = new Set<number>();
  for (const at of from) {
    if (part === '*') for (let next = at; next <= name.length; next += 1) to.add(next);
    else if (matchesOne(part, name.charAt(at))) to.add(at + 1);
  }
  return to;
}

function matchesOne(part: string, character: string): boolean {
  if (character === '') return false;
  if (part === '?' || part === character) return true;
  if (part.length < 3 || !part.startsWith('[')) return false;
  const negated = part[1] === '!' || part[1] === '^';
  const members = part.slice(negated ? 2 : 1, -1);
  const ranges = [...members.matchAll(/(.)-(.)/g)].some(
    ([, low, high]) => low !== undefined && high !== undefined && low <= character && character <= high,
  );
  return (members.includes(character) || ranges) !== negated;
}
