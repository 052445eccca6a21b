import { BulkheadError } from '@bulkhead/protocol';
import type { Box, ShellBox } from './box.ts';

/**
 * WRITTEN, NOT TESTED: nobody has run these profiles on a Mac. They are text for `sandbox-exec` (Seatbelt), which
 * Apple calls deprecated and documents nowhere; the rules follow the profiles that macOS itself brings.
 *
 * A path never becomes part of the text: it is handed over as a parameter, so nothing in a name can end a string or
 * open a rule.
 */
export interface MacProfile {
  /** For `sandbox-exec -p`. */
  readonly text: string;
  /** For `sandbox-exec -D`: name and value of each parameter in the text. */
  readonly parameters: readonly (readonly [name: string, path: string])[];
}

/** What a profile needs to know beside the box. Paths are absolute and real: Seatbelt compares resolved names. */
export interface MacPlaces {
  /** The program that is launched. */
  readonly program: string;
  /** Files the program reads to start. */
  readonly runtimeFiles: readonly string[];
  /** A private folder that stands for a command's home and temporary files. */
  readonly home: string;
}

/** What any program reads to be loaded at all. */
const SYSTEM = ['/usr/lib', '/System/Library', '/System/Volumes/Preboot/Cryptexes', '/private/var/db/dyld'];
/** What a shell finds beside that: tools and their settings, no person's files. */
const TOOLS = [
  '/usr',
  '/bin',
  '/sbin',
  '/opt',
  '/Library/Developer',
  '/private/etc',
  '/private/var/db/timezone',
];
const DEVICES = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom'];
/** Facts of the machine that Node and its C library ask for; `kern.proc`, the other processes, is not among them. */
const FACTS = [
  '(sysctl-name-prefix "hw.")',
  '(sysctl-name-prefix "machdep.cpu.")',
  ...['argmax', 'osproductversion', 'osrelease', 'ostype', 'osversion', 'usrstack64', 'version'].map(
    (name) => `(sysctl-name "kern.${name}")`,
  ),
];

/**
 * The profile of a box: what is not allowed is denied, the network altogether.
 *
 * @throws BulkheadError `usage` for a path that is not absolute or holds a NUL
 */
export function renderMacProfile(box: Box, places: MacPlaces): MacProfile {
  const paths = new PathParameters();
  const rules = [
    '(version 1)',
    '(deny default)',
    allow('file-read*', [...SYSTEM.map(constant), '(literal "/")']),
    allow('file-read*', DEVICES.map(constant)),
    allow('file-write-data', [constant('/dev/null')]),
    allow('file-read*', [...places.runtimeFiles, places.program].map(paths.subpath)),
    allow('sysctl-read', FACTS),
    '(allow process-info* (target self))',
    ...rulesOf(box, places, paths),
    // Last, since the last rule that fits is the one that counts.
    '(deny network*)',
  ];
  return { text: `${rules.filter(Boolean).join('\n')}\n`, parameters: paths.all };
}

function rulesOf(box: Box, places: MacPlaces, paths: PathParameters): readonly string[] {
  switch (box.kind) {
    case 'agent':
      return [
        allow('file-read*', box.read.map(paths.subpath)),
        // Without a fork it can only become itself again, in the same box.
        allow('process-exec*', [paths.literal(places.program)]),
        '(allow file-read-metadata)',
        '(allow signal (target self))',
      ];
    case 'worker':
      return [
        allow('file-read*', [...box.read, ...box.execute].map(paths.subpath)),
        allow('file-read* file-write*', box.write.map(paths.subpath)),
        allow('process-exec*', [places.program, ...box.execute].map(paths.literal)),
        '(allow process-fork)',
        '(allow file-read-metadata)',
        '(allow signal (target same-sandbox))',
      ];
    case 'shell':
      return shellRules(box, places, paths);
  }
}

function shellRules(box: ShellBox, { home }: MacPlaces, paths: PathParameters): readonly string[] {
  const pinned = box.protect.flatMap((path) => foldersOnTheWay(box.workingFolder, path));
  return [
    allow('file-read*', TOOLS.map(constant)),
    allow('file-read*', box.readOnly.map(paths.subpath)),
    allow('file-read* file-write*', [box.workingFolder, home].map(paths.subpath)),
    '(allow file-read-metadata)',
    '(allow process-exec* process-fork)',
    '(allow process-info* signal (target same-sandbox))',
    deny('file-write*', box.protect.map(paths.subpath)),
    // A folder on the way that is moved would take what is protected with it.
    deny('file-write-unlink', pinned.map(paths.literal)),
    deny('file-read* file-write*', box.hide.map(paths.subpath)),
  ];
}

function foldersOnTheWay(folder: string, path: string): readonly string[] {
  const names = path.slice(folder.length).split('/').filter(Boolean).slice(0, -1);
  return names.map((_, index) => `${folder}/${names.slice(0, index + 1).join('/')}`);
}

function allow(operation: string, filters: readonly string[]): string {
  return rule('allow', operation, filters);
}

function deny(operation: string, filters: readonly string[]): string {
  return rule('deny', operation, filters);
}

/** Without a filter a rule would mean everything: then there is none. */
function rule(decision: 'allow' | 'deny', operation: string, filters: readonly string[]): string {
  return filters.length === 0 ? '' : `(${decision} ${operation} ${filters.join(' ')})`;
}

/** @param path one of the constants above: plain letters, nothing to quote */
function constant(path: string): string {
  return `(subpath "${path}")`;
}

/** Gives each path a name of ours. */
class PathParameters {
  readonly #names = new Map<string, string>();

  get all(): MacProfile['parameters'] {
    return [...this.#names].map(([path, name]) => [name, path]);
  }

  /** The object and all below it. */
  readonly subpath = (path: string): string => `(subpath (param "${this.#nameOf(path)}"))`;

  /** The object alone. */
  readonly literal = (path: string): string => `(literal (param "${this.#nameOf(path)}"))`;

  #nameOf(path: string): string {
    if (!path.startsWith('/') || path.includes('\0')) {
      throw new BulkheadError('usage', `Not an absolute path without NUL: ${JSON.stringify(path)}`);
    }
    const name = this.#names.get(path) ?? `PATH_${this.#names.size}`;
    this.#names.set(path, name);
    return name;
  }
}
