import type { Attempt } from './attempt.ts';
import {
  absent,
  across,
  alone,
  closed,
  done,
  filter,
  nativeAttempt,
  nobody,
  readOnly,
} from './native-attempt.ts';

const metadata = 'without mounts of its own, the box tells which paths exist outside, with size and times';

const reads: readonly Attempt[] = [
  nativeAttempt('FT01', 'read-secret', { agent: closed, worker: closed, shell: absent }),
  nativeAttempt('FT01', 'read-by-old-open', { agent: closed, worker: closed, shell: absent }),
  nativeAttempt('FT01', 'read-by-path-handle', { agent: closed, worker: closed, shell: absent }),
  nativeAttempt('FT01', 'read-by-dots', { agent: closed, worker: closed, shell: absent }),
  nativeAttempt('FT01', 'read-through-made-link', { agent: filter, worker: closed, shell: absent }),
  nativeAttempt('FT01', 'list-closed', { agent: closed, worker: closed, shell: absent }),
  nativeAttempt('FT01', 'list-root', { agent: closed, worker: closed, shell: done }),
  nativeAttempt('FT01 FT03', 'list-processes', { agent: closed, worker: closed, shell: done }),
  nativeAttempt(
    'FT01',
    'stat-secret',
    { agent: closed, worker: closed, shell: absent },
    { knownBare: { agent: metadata, worker: metadata } },
  ),
  nativeAttempt(
    'FT01',
    'handle-of-secret',
    { agent: closed, worker: closed, shell: absent },
    { knownBare: { agent: metadata, worker: metadata } },
  ),
  nativeAttempt(
    'FT01',
    'read-link-outside',
    { agent: closed, worker: closed, shell: absent },
    { knownBare: { agent: metadata, worker: metadata } },
  ),
  nativeAttempt('FT01', 'read-hidden', { shell: absent }),
  nativeAttempt('FT01', 'read-denied', { shell: ['EACCES'] }),
  nativeAttempt('FT01', 'change-mode-of-denied', { shell: readOnly }),
  nativeAttempt('FT01', 'read-home', { agent: closed, worker: closed, shell: absent }),
  nativeAttempt('FT09', 'read-other-file', { agent: closed, worker: closed, shell: absent }),
  nativeAttempt('FT03', 'read-parent-environment', { agent: closed, worker: closed, shell: absent }),
  nativeAttempt('FT03', 'read-parent-arguments', { agent: closed, worker: closed, shell: absent }),
  nativeAttempt('FT03', 'read-parent-maps', { agent: closed, worker: closed, shell: absent }),
  nativeAttempt('FT03', 'open-parent-memory', { agent: closed, worker: closed, shell: absent }),
  nativeAttempt('FT01 FT03', 'read-parent-folder-link', { agent: closed, worker: closed, shell: absent }),
  nativeAttempt('FT03 FT05', 'list-parent-descriptors', { agent: closed, worker: closed, shell: absent }),
  nativeAttempt('FT01', 'read-through-parent-root', { agent: closed, worker: closed, shell: absent }),
  nativeAttempt('FT09', 'read-other-environment', { agent: closed, worker: closed, shell: absent }),
  nativeAttempt('FT09', 'read-through-other-root', { agent: closed, worker: closed, shell: absent }),
  nativeAttempt(
    'FT03',
    'read-init-environment',
    { agent: closed, worker: closed, shell: ['EACCES'] },
    { control: { untried: alone } },
  ),
  nativeAttempt(
    'FT01',
    'read-through-init-root',
    { agent: closed, worker: closed, shell: ['EACCES'] },
    { control: { untried: alone } },
  ),
  // Only an overlay has them: on other views there is none to be found.
  nativeAttempt('FT04', 'trace-companion', { shell: ['EPERM', 'ESRCH'] }, { control: { untried: alone } }),
  ...['open-companion-memory', 'open-companion-folders', 'open-companion-descriptors'].map((name) =>
    nativeAttempt('FT04', name, { shell: ['EACCES', 'ESRCH'] }, { control: { untried: alone } }),
  ),
  nativeAttempt(
    'FT04',
    'take-companion-descriptors',
    { shell: ['EPERM', 'ESRCH'] },
    { control: { untried: alone } },
  ),
  nativeAttempt('FT01 FT03', 'read-known-paths', { agent: closed, worker: closed, shell: closed }),
  nativeAttempt('FT01', 'open-devices', { agent: closed, worker: closed, shell: closed }),
  nativeAttempt(
    'FT01 FG1',
    'walk-everything',
    { agent: closed, shell: done },
    { control: { untried: 'outside it would read the whole machine; walk-outside is its control' } },
  ),
  nativeAttempt('FT01', 'walk-outside', { agent: closed, worker: closed, shell: closed }),
];

const writes: readonly Attempt[] = [
  ...['write-open', 'write-by-cutting', 'write-nameless', 'map-shared', 'copy-range', 'splice'].map((name) =>
    nativeAttempt('FT01', name, { agent: filter, worker: ['EPERM', ...closed], shell: absent }),
  ),
  ...['write-creat', 'write-mkdir', 'write-symlink', 'remove-file', 'remove-folder'].map((name) =>
    nativeAttempt('FT01', name, { agent: filter, worker: closed, shell: absent }),
  ),
  nativeAttempt('FT01', 'write-openat2', {
    agent: ['ENOSYS', 'EPERM'],
    worker: ['ENOSYS', 'EPERM'],
    shell: ['ENOSYS'],
  }),
  ...['write-truncate', 'write-fifo', 'change-mode', 'change-owner', 'change-times', 'change-attributes'].map(
    (name) => nativeAttempt('FT01 FT08', name, { agent: filter, worker: filter, shell: absent }),
  ),
  nativeAttempt('FT01', 'change-mode-by-handle', { agent: nobody, worker: nobody, shell: absent }),
  ...['link-in', 'link-handle-in', 'rename-in', 'rename-exchange'].map((name) =>
    nativeAttempt('FT01', name, { agent: nobody, worker: across, shell: absent }),
  ),
  ...['link-out', 'rename-out'].map((name) =>
    nativeAttempt('FT01', name, { agent: filter, worker: across, shell: ['ENOENT', 'EXDEV'] }),
  ),
  nativeAttempt('FT01', 'change-by-closed-link', { agent: filter, worker: closed, shell: absent }),
  nativeAttempt('FT01', 'write-own', { agent: filter, worker: done, shell: done }),
  nativeAttempt('FT01', 'write-protected', { shell: readOnly }),
  nativeAttempt('FT01', 'replace-protected', { shell: ['EBUSY', 'EXDEV', 'EROFS'] }),
  nativeAttempt('FT01', 'write-system', { agent: filter, worker: ['EPERM', ...closed], shell: readOnly }),
  nativeAttempt('FT01', 'write-root', {
    agent: filter,
    worker: ['EPERM', 'EROFS', ...closed],
    shell: readOnly,
  }),
  nativeAttempt('FT01', 'write-temporary', { agent: filter, worker: [...closed, ...readOnly], shell: done }),
  nativeAttempt('FT01', 'write-kernel-setting', { agent: filter, worker: closed, shell: readOnly }),
  nativeAttempt('FT08', 'make-fifo', { agent: filter, worker: filter, shell: done }),
  nativeAttempt('FT08', 'make-device', { agent: filter, worker: filter, shell: filter }),
  ...['make-set-user-file', 'make-own-set-user'].map((name) =>
    nativeAttempt('FT08', name, { agent: filter, worker: filter, shell: filter }),
  ),
  nativeAttempt('FT08', 'give-file-capability', { agent: filter, worker: filter, shell: filter }),
  nativeAttempt('FT04', 'exceed-file-size', { shell: ['SIGXFSZ', 'EFBIG'] }),
];

/** Reading and changing files. */
export const fileDeeds: readonly Attempt[] = [...reads, ...writes];
