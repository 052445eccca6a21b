import type { Attempt, BoxKind, Control } from './attempt.ts';
import type { Outcome } from './outcome.ts';

type Expected = Partial<Record<BoxKind, readonly Outcome[]>>;

/** Refused by the system call filter. */
const filter = ['EPERM'];
/** Refused by Landlock, or not there where the box has mounts of its own. */
const closed = ['EACCES', 'ENOENT'];
const absent = ['ENOENT'];
const readOnly = ['EROFS'];
/** By filter or Landlock, whichever comes first; or there is nobody of that number. */
const nobody = ['EPERM', 'EACCES', 'ESRCH', 'ENOENT'];
const done = ['done'];
/** Across the border of what a worker may change. */
const across = ['EPERM', 'EACCES', 'EXDEV', 'ENOENT'];

const alone = 'only one box has an init of its own; the wall "hidden-init" proves it';

function attempt(
  ids: string,
  name: string,
  expected: Expected,
  more: { control?: Control; known?: Attempt['known'] } = {},
): Attempt {
  const { control = 'works', known } = more;
  return {
    name,
    arm: 'native',
    ids: ids.split(' '),
    expected,
    control,
    ...(known === undefined ? {} : { known }),
  };
}

const metadata = 'without mounts of its own, the box tells which paths exist outside, with size and times';

const reads: readonly Attempt[] = [
  attempt('FT01', 'read-secret', { agent: closed, worker: closed, shell: absent }),
  attempt('FT01', 'read-by-old-open', { agent: closed, worker: closed, shell: absent }),
  attempt('FT01', 'read-by-path-handle', { agent: closed, worker: closed, shell: absent }),
  attempt('FT01', 'read-by-dots', { agent: closed, worker: closed, shell: absent }),
  attempt('FT01', 'read-through-made-link', { agent: filter, worker: closed, shell: absent }),
  attempt('FT01', 'list-closed', { agent: closed, worker: closed, shell: absent }),
  attempt('FT01', 'list-root', { agent: closed, worker: closed, shell: done }),
  attempt('FT01 FT03', 'list-processes', { agent: closed, worker: closed, shell: done }),
  attempt(
    'FT01',
    'stat-secret',
    { agent: closed, worker: closed, shell: absent },
    { known: { agent: metadata, worker: metadata } },
  ),
  attempt(
    'FT01',
    'handle-of-secret',
    { agent: closed, worker: closed, shell: absent },
    { known: { agent: metadata, worker: metadata } },
  ),
  attempt(
    'FT01',
    'read-link-outside',
    { agent: closed, worker: closed, shell: absent },
    { known: { agent: metadata, worker: metadata } },
  ),
  attempt('FT01', 'read-hidden', { shell: absent }),
  attempt('FT01', 'read-home', { agent: closed, worker: closed, shell: absent }),
  attempt('FT09', 'read-other-file', { agent: closed, worker: closed, shell: absent }),
  attempt('FT03', 'read-parent-environment', { agent: closed, worker: closed, shell: absent }),
  attempt('FT03', 'read-parent-arguments', { agent: closed, worker: closed, shell: absent }),
  attempt('FT03', 'read-parent-maps', { agent: closed, worker: closed, shell: absent }),
  attempt('FT03', 'open-parent-memory', { agent: closed, worker: closed, shell: absent }),
  attempt('FT01 FT03', 'read-parent-folder-link', { agent: closed, worker: closed, shell: absent }),
  attempt('FT03 FT05', 'list-parent-descriptors', { agent: closed, worker: closed, shell: absent }),
  attempt('FT01', 'read-through-parent-root', { agent: closed, worker: closed, shell: absent }),
  attempt('FT09', 'read-other-environment', { agent: closed, worker: closed, shell: absent }),
  attempt('FT09', 'read-through-other-root', { agent: closed, worker: closed, shell: absent }),
  attempt(
    'FT03',
    'read-init-environment',
    { agent: closed, worker: closed, shell: ['EACCES'] },
    { control: { untried: alone } },
  ),
  attempt(
    'FT01',
    'read-through-init-root',
    { agent: closed, worker: closed, shell: ['EACCES'] },
    { control: { untried: alone } },
  ),
  attempt('FT01 FT03', 'read-known-paths', { agent: closed, worker: closed, shell: closed }),
  attempt('FT01', 'open-devices', { agent: closed, worker: closed, shell: closed }),
  attempt(
    'FT01 FG1',
    'walk-everything',
    { agent: closed, shell: done },
    { control: { untried: 'outside it would read the whole machine; walk-outside is its control' } },
  ),
  attempt('FT01', 'walk-outside', { agent: closed, worker: closed, shell: closed }),
];

const writes: readonly Attempt[] = [
  ...['write-open', 'write-by-cutting', 'write-nameless', 'map-shared', 'copy-range', 'splice'].map((name) =>
    attempt('FT01', name, { agent: filter, worker: ['EPERM', ...closed], shell: absent }),
  ),
  ...['write-creat', 'write-mkdir', 'write-symlink', 'remove-file', 'remove-folder'].map((name) =>
    attempt('FT01', name, { agent: filter, worker: closed, shell: absent }),
  ),
  attempt('FT01', 'write-openat2', {
    agent: ['ENOSYS', 'EPERM'],
    worker: ['ENOSYS', 'EPERM'],
    shell: ['ENOSYS'],
  }),
  ...['write-truncate', 'write-fifo', 'change-mode', 'change-owner', 'change-times', 'change-attributes'].map(
    (name) => attempt('FT01 FT08', name, { agent: filter, worker: filter, shell: absent }),
  ),
  attempt('FT01', 'change-mode-by-handle', { agent: nobody, worker: nobody, shell: absent }),
  ...['link-in', 'link-handle-in', 'rename-in', 'rename-exchange'].map((name) =>
    attempt('FT01', name, { agent: nobody, worker: across, shell: absent }),
  ),
  ...['link-out', 'rename-out'].map((name) =>
    attempt('FT01', name, { agent: filter, worker: across, shell: ['ENOENT', 'EXDEV'] }),
  ),
  attempt('FT01', 'change-by-closed-link', { agent: filter, worker: closed, shell: absent }),
  attempt('FT01', 'write-own', { agent: filter, worker: done, shell: done }),
  attempt('FT01', 'write-protected', { shell: readOnly }),
  attempt('FT01', 'replace-protected', { shell: ['EBUSY', 'EXDEV', 'EROFS'] }),
  attempt('FT01', 'write-system', { agent: filter, worker: ['EPERM', ...closed], shell: readOnly }),
  attempt('FT01', 'write-root', { agent: filter, worker: ['EPERM', ...closed], shell: readOnly }),
  attempt('FT01', 'write-temporary', { agent: filter, worker: closed, shell: done }),
  attempt('FT01', 'write-kernel-setting', { agent: filter, worker: closed, shell: readOnly }),
  attempt('FT08', 'make-fifo', { agent: filter, worker: filter, shell: done }),
  attempt('FT08', 'make-device', { agent: filter, worker: filter, shell: filter }),
  ...['make-set-user-file', 'make-own-set-user'].map((name) =>
    attempt('FT08', name, { agent: filter, worker: filter, shell: filter }),
  ),
  attempt('FT08', 'give-file-capability', { agent: filter, worker: filter, shell: filter }),
  attempt('FT04', 'exceed-file-size', { shell: ['SIGXFSZ', 'EFBIG'] }),
];

const sockets: readonly Attempt[] = [
  ...['connect-tcp4', 'connect-tcp6', 'connect-multipath'].map((name) =>
    attempt('FT02 FT96', name, {
      agent: filter,
      worker: filter,
      shell: ['ECONNREFUSED', 'EADDRNOTAVAIL', 'ENETUNREACH', 'ENOPROTOOPT', 'EPROTONOSUPPORT'],
    }),
  ),
  attempt('FT02 FT96', 'connect-with-data', {
    agent: filter,
    worker: filter,
    shell: ['ECONNREFUSED', 'EOPNOTSUPP'],
  }),
  // In a network of its own a datagram may well leave, for nowhere: that none arrives, the listener says.
  ...['send-udp4', 'send-udp6'].map((name) =>
    attempt('FT02 FT96', name, {
      agent: filter,
      worker: filter,
      shell: ['done', 'ECONNREFUSED', 'ENETUNREACH', 'EADDRNOTAVAIL'],
    }),
  ),
  ...['connect-named', 'send-to-named'].map((name) =>
    attempt('FT02 FT96', name, { agent: filter, worker: filter, shell: absent }),
  ),
  ...['connect-abstract', 'send-to-abstract'].map((name) =>
    attempt('FT02 FT96', name, { agent: filter, worker: filter, shell: ['ECONNREFUSED'] }),
  ),
  attempt(
    'FT02 FT96',
    'connect-work-socket',
    { agent: filter, worker: filter, shell: ['ECONNREFUSED', 'ENOENT'] },
    { known: { shell: 'a socket that lies in the working folder itself can be reached by a live command' } },
  ),
  ...['pair-to-named', 'pair-connects-anew'].map((name) =>
    attempt('FT02 FT96', name, { agent: filter, worker: filter, shell: absent }),
  ),
  attempt('FT02 FT96', 'pair-to-abstract', { agent: filter, worker: filter, shell: ['ECONNREFUSED'] }),
  attempt(
    'FT02',
    'descriptor-sends',
    { agent: filter, worker: filter, shell: filter },
    {
      control: {
        untried: 'it depends on what the caller hands in; the walls are the sockets it can not make',
      },
    },
  ),
  attempt('FT02', 'listen-tcp', { agent: filter, worker: filter, shell: done }),
  attempt('FT02', 'sweep-common-families', { agent: filter, worker: filter, shell: done }),
  attempt('FT02', 'sweep-other-families', { agent: filter, worker: filter, shell: filter }),
  attempt('FT02', 'sweep-netlink', { agent: filter, worker: filter, shell: filter }),
  attempt('FT02', 'raw-socket', { agent: filter, worker: filter, shell: filter }),
];

const handles = ['signal-by-handle', 'take-descriptor'];
const processes: readonly Attempt[] = [
  ...['signal-parent', 'signal-other', 'signal-parent-thread'].map((name) =>
    attempt('FT04 FT09', name, { agent: nobody, worker: nobody, shell: ['ESRCH'] }),
  ),
  ...handles.map((name) => attempt('FT04', name, { agent: filter, worker: filter, shell: ['ESRCH'] })),
  attempt('FT04', 'own-descriptor-for', { agent: filter, worker: filter, shell: ['ESRCH'] }),
  ...['trace-parent', 'trace-other', 'read-parent-memory', 'read-other-memory'].map((name) =>
    attempt('FT03 FT04 FT09', name, { agent: filter, worker: filter, shell: ['ESRCH'] }),
  ),
  attempt('FT04', 'trace-init', { shell: filter }, { control: { untried: alone } }),
  ...['slow-parent', 'slow-parent-disk', 'move-parent-cpu', 'limit-parent'].map((name) =>
    attempt('FT04', name, { agent: nobody, worker: nobody, shell: ['ESRCH'] }),
  ),
  attempt('FT04', 'raise-own-limit', { agent: filter, worker: filter }),
  ...['make-process', 'make-process-the-old-way'].map((name) =>
    attempt('FT07 FG1', name, { agent: filter, worker: done, shell: done }),
  ),
  attempt('FT07', 'leave-session', { agent: filter, worker: filter, shell: done }),
  attempt(
    'FT07',
    'exceed-processes',
    { shell: ['EAGAIN'] },
    { known: { shell: 'the kernel does not bind root to a number of processes' } },
  ),
  attempt('FT05', 'exceed-open-files', { agent: ['EMFILE'], shell: ['EMFILE'] }),
  ...['ask-for-new-privileges', 'ask-for-root-rights'].map((name) =>
    attempt('FT04', name, { agent: filter, worker: filter, shell: filter }),
  ),
  ...['become-another'].map((name) =>
    attempt('FT04', name, { agent: filter, worker: filter, shell: ['EPERM', 'EINVAL'] }),
  ),
  attempt('FT03 FT09', 'attach-segment', { agent: filter, worker: filter, shell: absent }),
  attempt('FT03 FT09', 'open-queue', { agent: filter, worker: filter, shell: absent }),
  attempt('FT03 FT04', 'reach-user-keys', { agent: filter, worker: filter, shell: filter }),
];

const sameBox = 'the program runs in the same box: nothing is gained by it';

const programs: readonly Attempt[] = [
  attempt('FG1', 'start-system-program', { agent: filter, worker: closed, shell: done }),
  attempt('FG1', 'start-foreign-program', { agent: filter, worker: closed, shell: absent }),
  attempt('FG1', 'start-readable-program', { agent: filter, worker: done, shell: done }),
  attempt('FG1', 'start-script', { agent: filter, worker: closed, shell: done }),
  attempt(
    'FG1',
    'start-by-loader',
    { agent: filter, worker: closed, shell: done },
    { known: { worker: sameBox } },
  ),
  attempt('FG1', 'start-by-held-number', {
    agent: ['EBADF', 'EPERM'],
    worker: done,
    shell: ['done', 'EBADF'],
  }),
  attempt(
    'FG1',
    'start-by-path-past-number',
    { agent: ['EBADF', 'EPERM', 'EACCES'], worker: done, shell: done },
    { known: { agent: sameBox } },
  ),
  attempt('FG1', 'start-from-memory', { agent: filter, worker: filter, shell: done }),
  attempt('FG1', 'start-brought-program', { agent: filter, worker: ['EACCES'], shell: done }),
  attempt('FG1', 'run-made-code', { agent: done, worker: done, shell: done }),
];

const memory: readonly Attempt[] = [
  attempt('FT05', 'use-inherited-descriptors', { agent: ['EBADF'], worker: ['EBADF'], shell: ['EBADF'] }),
  attempt('FT03', 'show-environment', { agent: absent, worker: absent, shell: absent }),
  attempt('FT03', 'show-start-of-stack', { agent: done, worker: done, shell: done }),
  attempt('FT03', 'show-all-memory', { agent: closed, worker: closed, shell: done }),
];

const foreign: readonly Attempt[] = [
  ...['call-x32', 'sweep-x32'].map((name) =>
    attempt('FT04', name, { agent: filter, worker: filter, shell: filter }, { control: 'differs' }),
  ),
  ...['call-as-32-bit', 'socket-as-32-bit'].map((name) =>
    attempt(
      'FT04',
      name,
      { agent: ['SIGSYS'], worker: ['SIGSYS'], shell: ['SIGSYS'] },
      { control: 'differs' },
    ),
  ),
  attempt(
    'FT04',
    'call-unknown-number',
    { agent: ['ENOSYS'], worker: ['ENOSYS'], shell: ['ENOSYS'] },
    { control: { untried: 'it is unknown outside, too' } },
  ),
  attempt('FT04', 'clone-by-structure', { agent: ['ENOSYS'], worker: ['ENOSYS'], shell: ['ENOSYS'] }),
];

/** What the native program does with real objects. Its other half, refused calls, it lists itself. */
export const nativeDeeds: readonly Attempt[] = [
  ...reads,
  ...writes,
  ...sockets,
  ...processes,
  ...programs,
  ...memory,
  ...foreign,
];

const bits: Readonly<Record<BoxKind, number>> = { agent: 1, worker: 2, shell: 4 };

/**
 * The calls that the native program knows to be refused.
 * @param list lines "call NAME BOXES" of `attack names`; others are passed over
 */
export function nativeCalls(list: string): Attempt[] {
  return [...list.matchAll(/^call (\S+) (\d+)$/gm)].map(([, name = '', mask]) => {
    const expected: Expected = {};
    for (const box of ['agent', 'worker', 'shell'] as const) {
      if ((Number(mask) & bits[box]) !== 0) expected[box] = filter;
    }
    return attempt('FT04', name, expected, { control: 'differs' });
  });
}

/** Names of the deeds in the same list. */
export function nativeDeedNames(list: string): string[] {
  return [...list.matchAll(/^deed (\S+)$/gm)].map(([, name = '']) => name);
}
