import { BulkheadError } from '@bulkhead/protocol';
import type { ShellBox } from '../box.ts';

/** The kind of object at a host path, for a box: a link is shown as a link. */
export type HostPath =
  | { readonly path: string; readonly kind: 'folder' | 'file' }
  | { readonly path: string; readonly kind: 'link'; readonly target: string };

export interface BubblewrapRequest {
  readonly box: ShellBox;
  /** The launcher's system paths that exist here. */
  readonly systemPaths: readonly HostPath[];
  /**
   * The existing paths among the box's `protect`, `hide` and `deny`. A file of the last two becomes
   * an empty device.
   */
  readonly within: readonly HostPath[];
  readonly cwd: string;
  /** Descriptor from which bwrap reads the system call filter. */
  readonly filterDescriptor: number;
  readonly command: readonly string[];
}

const SPACES = [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-net',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
];

/**
 * The command line of `bwrap`, without its own name, for the same box that the launcher makes: the
 * fallback if a system lets only `bwrap` make name spaces. It has no overlay, so a person must have
 * allowed the command.
 *
 * Unlike the launcher, bwrap resolves paths by name, so a folder that is swapped between the
 * caller's check and the launch is not noticed.
 *
 * @throws BulkheadError `usage` if a path isn't absolute, or files are to be filled
 */
export function bubblewrapArguments(request: BubblewrapRequest): string[] {
  const { box, cwd, command, within } = request;
  const kept = [box.kept?.home?.from, box.kept?.temp].filter((path) => path !== undefined);
  const named = [box.workingFolder, box.home, cwd, ...box.readOnly, ...kept];
  const odd = named.find((path) => !path.startsWith('/'));
  if (odd !== undefined) throw new BulkheadError('usage', `Not an absolute path: ${JSON.stringify(odd)}`);
  // It would show the file itself: by a name, and with a content that may have changed.
  if (box.filled !== undefined) throw new BulkheadError('usage', 'bwrap fills no files');
  const hidden = within.filter(({ path }) => [...box.hide, ...(box.deny ?? [])].includes(path));
  const shielded = within.filter(({ path }) => box.protect.includes(path));
  return [
    ...SPACES,
    '--die-with-parent',
    '--new-session',
    ...['--hostname', 'bulkhead', '--cap-drop', 'ALL', '--seccomp', String(request.filterDescriptor)],
    ...request.systemPaths.flatMap(show),
    ...['--proc', '/proc', '--dev', '/dev', '--dir', '/run'],
    ...ownFolders(box),
    ...box.readOnly.flatMap((path) => ['--ro-bind', path, path]),
    ...['--bind', box.workingFolder, box.workingFolder],
    ...pinned(shielded, box.workingFolder),
    ...shielded.flatMap(({ path }) => ['--ro-bind', path, path]),
    ...hidden.flatMap(hide),
    ...['--remount-ro', '/', '--chdir', cwd, '--'],
    ...limited(box, command),
  ];
}

function ownFolders({ home, kept }: ShellBox): string[] {
  const { temp } = kept ?? {};
  const places = [
    [temp && `${temp}/tmp`, '/tmp'],
    [temp && `${temp}/var-tmp`, '/var/tmp'],
    [temp && `${temp}/shm`, '/dev/shm'],
  ] as const;
  return [
    ...places.flatMap(([from, path]) => (from === undefined ? ['--tmpfs', path] : ['--bind', from, path])),
    ...(kept?.home === undefined
      ? ['--tmpfs', home]
      : [kept.home.readOnly ? '--ro-bind' : '--bind', kept.home.from, home]),
  ];
}

function show(entry: HostPath): string[] {
  return entry.kind === 'link'
    ? ['--symlink', entry.target, entry.path]
    : ['--ro-bind', entry.path, entry.path];
}

function hide({ path, kind }: HostPath): string[] {
  return kind === 'folder' ? ['--tmpfs', path, '--remount-ro', path] : ['--ro-bind', '/dev/null', path];
}

/**
 * bwrap sets no limits, so a shell does and then becomes the command; if a limit can't be set, the
 * command does not run.
 */
function limited({ limits }: ShellBox, command: readonly string[]): string[] {
  const { maxProcesses, maxFileBytes, maxOpenFiles, maxCpuSeconds, maxDataBytes } = limits;
  const set = [
    `ulimit -c 0 -u ${maxProcesses} -f ${blocks(maxFileBytes)} -n ${maxOpenFiles}`,
    ...(maxCpuSeconds === undefined ? [] : [`-t ${maxCpuSeconds}`]),
    ...(maxDataBytes === undefined ? [] : [`-d ${blocks(maxDataBytes)}`]),
  ].join(' ');
  return ['/bin/bash', '--noprofile', '--norc', '-c', `${set} && exec "$@"`, 'bash', ...command];
}

/** Units of 1,024 bytes, as bash counts file size and memory. */
function blocks(bytes: number): number {
  return Math.ceil(bytes / 1024);
}

/** The folders above become mounts too: otherwise one could be renamed and replaced. */
function pinned(kept: readonly HostPath[], workingFolder: string): string[] {
  const folders = kept.flatMap(({ path }) => {
    const names = path
      .slice(workingFolder.length + 1)
      .split('/')
      .slice(0, -1);
    return names.map((_, depth) => [workingFolder, ...names.slice(0, depth + 1)].join('/'));
  });
  return [...new Set(folders)]
    .toSorted((a, b) => a.length - b.length)
    .flatMap((path) => ['--bind', path, path]);
}
