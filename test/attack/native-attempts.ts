import type { Attempt, BoxKind } from './attempt.ts';
import {
  absent,
  alone,
  closed,
  done,
  type Expected,
  filter,
  nativeAttempt,
  nobody,
} from './native-attempt.ts';
import { fileDeeds } from './native-file-attempts.ts';

const isRoot = process.getuid?.() === 0;

const sockets: readonly Attempt[] = [
  ...['connect-tcp4', 'connect-tcp6', 'connect-multipath'].map((name) =>
    nativeAttempt('FT02 FT96', name, {
      agent: filter,
      worker: filter,
      shell: ['ECONNREFUSED', 'EADDRNOTAVAIL', 'ENETUNREACH', 'ENOPROTOOPT', 'EPROTONOSUPPORT'],
    }),
  ),
  nativeAttempt('FT02 FT96', 'connect-with-data', {
    agent: filter,
    worker: filter,
    shell: ['ECONNREFUSED', 'EOPNOTSUPP'],
  }),
  // In a separate network a datagram may leave without a destination: the listener confirms that
  // none arrives.
  ...['send-udp4', 'send-udp6'].map((name) =>
    nativeAttempt('FT02 FT96', name, {
      agent: filter,
      worker: filter,
      shell: ['done', 'ECONNREFUSED', 'ENETUNREACH', 'EADDRNOTAVAIL'],
    }),
  ),
  ...['connect-named', 'send-to-named'].map((name) =>
    nativeAttempt('FT02 FT96', name, { agent: filter, worker: filter, shell: absent }),
  ),
  ...['connect-abstract', 'send-to-abstract'].map((name) =>
    nativeAttempt('FT02 FT96', name, { agent: filter, worker: filter, shell: ['ECONNREFUSED'] }),
  ),
  nativeAttempt(
    'FT02 FT96',
    'connect-work-socket',
    { agent: filter, worker: filter, shell: ['ECONNREFUSED', 'ENOENT'] },
    { known: { shell: 'a socket that lies in the working folder itself can be reached by a live command' } },
  ),
  ...['pair-to-named', 'pair-connects-anew'].map((name) =>
    nativeAttempt('FT02 FT96', name, { agent: filter, worker: filter, shell: absent }),
  ),
  nativeAttempt('FT02 FT96', 'pair-to-abstract', { agent: filter, worker: filter, shell: ['ECONNREFUSED'] }),
  nativeAttempt(
    'FT02',
    'descriptor-sends',
    { agent: filter, worker: filter, shell: filter },
    {
      control: {
        untried: 'it depends on what the caller hands in; the walls are the sockets it can not make',
      },
    },
  ),
  nativeAttempt('FT02', 'listen-tcp', { agent: filter, worker: filter, shell: done }),
  nativeAttempt('FT02', 'sweep-common-families', { agent: filter, worker: filter, shell: done }),
  nativeAttempt('FT02', 'sweep-other-families', { agent: filter, worker: filter, shell: filter }),
  nativeAttempt('FT02', 'sweep-netlink', { agent: filter, worker: filter, shell: filter }),
  nativeAttempt('FT02', 'raw-socket', { agent: filter, worker: filter, shell: filter }),
];

const handles = ['signal-by-handle', 'take-descriptor'];
const processes: readonly Attempt[] = [
  ...['signal-parent', 'signal-other', 'signal-parent-thread'].map((name) =>
    nativeAttempt('FT04 FT09', name, { agent: nobody, worker: nobody, shell: ['ESRCH'] }),
  ),
  ...handles.map((name) => nativeAttempt('FT04', name, { agent: filter, worker: filter, shell: ['ESRCH'] })),
  nativeAttempt('FT04', 'own-descriptor-for', { agent: filter, worker: filter, shell: ['ESRCH'] }),
  ...['trace-parent', 'trace-other', 'read-parent-memory', 'read-other-memory'].map((name) =>
    nativeAttempt('FT03 FT04 FT09', name, { agent: filter, worker: filter, shell: ['ESRCH'] }),
  ),
  nativeAttempt('FT04', 'trace-init', { shell: filter }, { control: { untried: alone } }),
  ...['slow-parent', 'slow-parent-disk', 'move-parent-cpu', 'limit-parent'].map((name) =>
    nativeAttempt('FT04', name, { agent: nobody, worker: nobody, shell: ['ESRCH'] }),
  ),
  nativeAttempt('FT04', 'raise-own-limit', { agent: filter, worker: filter }),
  ...['make-process', 'make-process-the-old-way'].map((name) =>
    nativeAttempt('FT07 FG1', name, { agent: filter, worker: done, shell: done }),
  ),
  nativeAttempt('FT07', 'leave-session', { agent: filter, worker: filter, shell: done }),
  nativeAttempt(
    'FT07',
    'exceed-processes',
    { shell: ['EAGAIN'] },
    { known: { shell: 'the kernel does not bind root to a number of processes' } },
  ),
  nativeAttempt('FT05', 'exceed-open-files', { agent: ['EMFILE'], shell: ['EMFILE'] }),
  nativeAttempt('FT04', 'ask-for-new-privileges', { agent: filter, worker: filter, shell: filter }),
  // Root in a shell box has its rights over files; the facts seen from outside show that it has no other.
  nativeAttempt('FT04', 'ask-for-root-rights', {
    agent: filter,
    worker: filter,
    shell: isRoot ? done : filter,
  }),
  nativeAttempt('FT04', 'become-another', {
    agent: filter,
    worker: filter,
    shell: isRoot ? done : ['EPERM', 'EINVAL'],
  }),
  nativeAttempt('FT03 FT09', 'attach-segment', { agent: filter, worker: filter, shell: absent }),
  nativeAttempt('FT03 FT09', 'open-queue', { agent: filter, worker: filter, shell: absent }),
  nativeAttempt('FT03 FT04', 'reach-user-keys', { agent: filter, worker: filter, shell: filter }),
];

const sameBox = 'the program runs in the same box: nothing is gained by it';

const programs: readonly Attempt[] = [
  nativeAttempt('FG1', 'start-system-program', { agent: filter, worker: closed, shell: done }),
  nativeAttempt('FG1', 'start-foreign-program', { agent: filter, worker: closed, shell: absent }),
  nativeAttempt('FG1', 'start-readable-program', { agent: filter, worker: done, shell: done }),
  nativeAttempt('FG1', 'start-script', { agent: filter, worker: closed, shell: done }),
  nativeAttempt(
    'FG1',
    'start-by-loader',
    { agent: filter, worker: [...closed, 'nothing'], shell: done },
    { knownBare: { worker: sameBox } },
  ),
  nativeAttempt('FG1', 'start-by-held-number', {
    agent: ['EBADF', 'EPERM'],
    worker: done,
    shell: ['done', 'EBADF'],
  }),
  nativeAttempt('FG1', 'start-by-path-past-number', {
    agent: ['EBADF', 'EPERM', 'EACCES'],
    worker: done,
    shell: done,
  }),
  nativeAttempt('FG1', 'start-from-memory', { agent: filter, worker: filter, shell: done }),
  nativeAttempt('FG1', 'start-brought-program', { agent: filter, worker: ['EACCES'], shell: done }),
  nativeAttempt('FG1', 'run-made-code', { agent: done, worker: done, shell: done }),
];

const memory: readonly Attempt[] = [
  nativeAttempt('FT05', 'use-inherited-descriptors', {
    agent: ['EBADF'],
    worker: ['EBADF'],
    shell: ['EBADF'],
  }),
  nativeAttempt('FT03', 'show-environment', { agent: absent, worker: absent, shell: absent }),
  nativeAttempt('FT03', 'show-start-of-stack', { agent: done, worker: done, shell: done }),
  nativeAttempt('FT03', 'show-all-memory', { agent: closed, worker: closed, shell: done }),
];

const foreign: readonly Attempt[] = [
  ...['call-x32', 'sweep-x32'].map((name) =>
    nativeAttempt('FT04', name, { agent: filter, worker: filter, shell: filter }, { control: 'differs' }),
  ),
  ...['call-as-32-bit', 'socket-as-32-bit'].map((name) =>
    nativeAttempt(
      'FT04',
      name,
      { agent: ['SIGSYS'], worker: ['SIGSYS'], shell: ['SIGSYS'] },
      { control: 'differs' },
    ),
  ),
  nativeAttempt(
    'FT04',
    'call-unknown-number',
    { agent: ['ENOSYS'], worker: ['ENOSYS'], shell: ['ENOSYS'] },
    { control: { untried: 'it is unknown outside, too' } },
  ),
  nativeAttempt('FT04', 'clone-by-structure', { agent: ['ENOSYS'], worker: ['ENOSYS'], shell: ['ENOSYS'] }),
];

/**
 * The native program's attempts with real objects. It lists its other half, refused calls, itself.
 */
export const nativeDeeds: readonly Attempt[] = [
  // First: later ones leave descriptors open if no process can be created for each.
  ...memory,
  ...fileDeeds,
  ...sockets,
  ...processes,
  ...programs,
  ...foreign,
];

const bits: Readonly<Record<BoxKind, number>> = { agent: 1, worker: 2, shell: 4 };

/**
 * The calls that the native program expects to be refused.
 * @param list lines "call NAME BOXES" of `attack names`; others are skipped
 */
export function nativeCalls(list: string): Attempt[] {
  return [...list.matchAll(/^call (\S+) (\d+)$/gm)].map(([, name = '', mask]) => {
    const expected: Expected = {};
    for (const box of ['agent', 'worker', 'shell'] as const) {
      if ((Number(mask) & bits[box]) !== 0) expected[box] = filter;
    }
    return nativeAttempt('FT04', name, expected, { control: 'differs' });
  });
}

/** Names of the deeds in the same list. */
export function nativeDeedNames(list: string): string[] {
  return [...list.matchAll(/^deed (\S+)$/gm)].map(([, name = '']) => name);
}
