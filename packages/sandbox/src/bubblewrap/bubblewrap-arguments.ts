import { BulkheadError } from '@bulkhead/protocol';
import type { ShellBox } from '../box.ts';

/** What the host has at a path, as far as a box needs to know: a link is shown as a link. */
export type HostPath =
  | { readonly path: string; readonly kind: 'folder' | 'file' }
  | { readonly path: string; readonly kind: 'link'; readonly target: string };

export interface BubblewrapRequest {
  readonly box: ShellBox;
  /** Of the launcher's system paths those that are here. */
  readonly systemPaths: readonly HostPath[];
  /** Of the box's `protect` and `hide` those that are here. */
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
 * The command line of `bwrap`, without its own name, for the same box that the launcher makes: the fallback where a
 * system lets only `bwrap` make name spaces. It has no overlay, so what it runs must have been allowed by a person.
 *
 * Unlike the launcher, bwrap resolves paths by name, so a folder that is swapped between the caller's check and the
 * launch is not noticed.
 *
 * @throws BulkheadError `usage` if a path isn't absolute
 */
export function bubblewrapArguments(request: BubblewrapRequest): string[] {
  const { box, cwd, command, within } = request;
  const named = [box.workingFolder, box.home, cwd, ...box.readOnly];
  const odd = named.find((path) => !path.startsWith('/'));
  if (odd !== undefined) throw new BulkheadError('usage', `Not an absolute path: ${JSON.stringify(odd)}`);
  const hidden = within.filter(({ path }) => box.hide.includes(path));
  const kept = within.filter(({ path }) => box.protect.includes(path));
  return [
    ...SPACES,
    '--die-with-parent',
    '--new-session',
    ...['--hostname', 'bulkhead', '--cap-drop', 'ALL', '--seccomp', String(request.filterDescriptor)],
    ...request.systemPaths.flatMap(show),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--tmpfs', '/var/tmp', '--dir', '/run'],
    ...['--tmpfs', box.home],
    ...box.readOnly.flatMap((path) => ['--ro-bind', path, path]),
    ...['--bind', box.workingFolder, box.workingFolder],
    ...kept.flatMap(({ path }) => ['--ro-bind', path, path]),
    ...hidden.flatMap(hide),
    ...['--remount-ro', '/', '--chdir', cwd, '--'],
    ...limited(box, command),
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

/** bwrap sets no limits: a shell does, and becomes the command. Blocks of 1,024 bytes, as bash counts them. */
function limited({ limits }: ShellBox, command: readonly string[]): string[] {
  const { maxProcesses, maxFileBytes, maxOpenFiles } = limits;
  const set = `ulimit -c 0 -u ${maxProcesses} -f ${Math.ceil(maxFileBytes / 1024)} -n ${maxOpenFiles}`;
  return ['/bin/bash', '--noprofile', '--norc', '-c', `${set} && exec "$@"`, 'bash', ...command];
}
