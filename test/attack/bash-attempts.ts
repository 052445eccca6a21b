import type { Attempt } from './attempt.ts';
import type { Outcome } from './outcome.ts';

/** An attempt in a shell line. */
export interface BashAttempt extends Attempt {
  /** Exits with 0 if the attempt worked. Its output is loot. Targets are variables. */
  readonly line: string;
}

const refused = ['refused'];

function attempt(
  ids: string,
  name: string,
  line: string,
  expected: readonly Outcome[] = refused,
  control: Attempt['control'] = 'works',
): BashAttempt {
  return {
    name: `sh-${name}`,
    arm: 'bash',
    ids: ids.split(' '),
    line,
    expected: { shell: expected },
    control,
  };
}

/** Attacks of a hostile command with the system's programs. */
export const bashAttempts: readonly BashAttempt[] = [
  attempt('FT01', 'read-secret', 'cat "$secret"'),
  attempt('FT01', 'find-everything', 'grep -rsq --include=secret . "$closed"'),
  attempt('FT01', 'read-home', 'cat "$home/secret"'),
  attempt('FT01', 'read-hidden', 'cat "$hidden"'),
  attempt('FT01', 'read-denied', 'cat "$denied"'),
  attempt('FT01', 'uncover-denied', 'chmod 666 "$denied" && cat "$denied"'),
  attempt('FT01', 'read-shadow', 'cat /etc/shadow'),
  attempt('FT01 FT03', 'all-roots', 'cat /proc/[0-9]*/root"$secret"'),
  attempt('FT03', 'all-environments', 'cat /proc/[0-9]*/environ; env', ['done']),
  attempt('FT03', 'parent-environment', 'cat "/proc/$parent/environ"'),
  attempt('FT01', 'write-outside', 'echo >> "$closed/v-write-open"'),
  attempt('FT01', 'write-protected', 'echo > "$protected/m-file" && rm "$protected/m-file"'),
  attempt('FT01', 'move-protected', 'mv -T "$protected" "$work/m-away" && mv -T "$work/m-away" "$protected"'),
  attempt('FT01', 'touch-system', 'touch -c -a /usr/bin/env && [ -w /usr/bin ]'),
  attempt('FT02 FT96', 'connect', 'exec 7<>"/dev/tcp/127.0.0.1/$tcp4" && timeout 1 cat <&7'),
  attempt('FT04', 'unshare', 'unshare -U true'),
  attempt('FT04', 'mount', 'unshare -m mount -t tmpfs none /mnt'),
  attempt('FT04', 'chroot', 'chroot / true'),
  attempt('FT08', 'mknod', 'mknod "$work/m-node" c 1 3 && rm "$work/m-node"'),
  attempt(
    'FT08',
    'set-user',
    'cp "$work/echo" "$work/m-suid" && chmod u+s "$work/m-suid" && [ -u "$work/m-suid" ]; r=$?; rm -f "$work/m-suid"; exit $r',
  ),
  attempt(
    'FT08',
    'set-user-by-install',
    'install -m 4755 "$work/echo" "$work/m-suid" && [ -u "$work/m-suid" ]; r=$?; rm -f "$work/m-suid"; exit $r',
  ),
  attempt('FT08', 'fifo', 'rm -f "$work/m-fifo"; mkfifo "$work/m-fifo" && rm "$work/m-fifo"', ['done']),
  attempt('FT04 FT09', 'signal-parent', 'kill -0 "$parent"'),
  attempt('FT04 FT09', 'signal-other', 'kill -0 "$other"'),
  attempt('FT04', 'raise-limit', 'ulimit -c 1 && [ "$(ulimit -c)" = 1 ]'),
  attempt('FT04', 'set-host-name', 'hostname "$(hostname)"'),
  attempt('FT04', 'renice-parent', 'renice -n 0 -p "$parent"'),
  attempt('FT01', 'other-file', 'cat "$other_file"'),
  attempt(
    'FT01',
    'move-around-denied',
    'mv -T "$work/nest" "$work/m-nest" && cat "$work/m-nest/in/secret"; r=$?; [ ! -e "$work/m-nest" ] || mv -T "$work/m-nest" "$work/nest"; exit $r',
  ),
  attempt('FT01', 'beside-hidden', 'grep . "$beside/.env"'),
  attempt('FT01', 'beside-denied', 'cat "$beside/deep/key.pem"'),
  attempt('FT01', 'beside-all', 'grep -rsh canary "$beside"'),
  attempt('FT01', 'beside-link', 'cat "$beside/link"'),
  attempt(
    'FT01',
    'beside-link-of-own',
    'rm -f "$work/m-own"; ln "$beside/.env" "$work/m-own" && cat "$work/m-own"',
  ),
  attempt('FT01', 'beside-climb', 'cat "$beside/deep/../../home/secret"'),
  attempt('FT01', 'beside-write-by-link', 'echo >> "$beside/link"'),
  attempt('FT01', 'beside-write', 'echo >> "$beside/text"'),
  attempt('FT01', 'beside-create', 'echo > "$beside/m-new" && rm "$beside/m-new"'),
  attempt('FT01', 'beside-mode', 'chmod 666 "$beside/text"'),
  attempt(
    'FT01',
    'beside-uncover',
    'mv -T "$beside/.env" "$beside/m-env" && cat "$beside/m-env" && mv -T "$beside/m-env" "$beside/.env"',
  ),
  attempt(
    'FT01',
    'beside-move-folder',
    'mv -T "$beside/deep" "$beside/m-deep" && cat "$beside/m-deep/key.pem" && mv -T "$beside/m-deep" "$beside/deep"',
  ),
];

/** The script that tries them: an attacker for `runBatch`. */
export function bashAttackScript(attempts: readonly BashAttempt[], targets: readonly string[]): string {
  const variables = targets
    .filter((target) => !target.startsWith('known='))
    .map((target) => {
      const at = target.indexOf('=');
      return `${target.slice(0, at).replaceAll('-', '_')}='${target.slice(at + 1)}'`;
    });
  const cases = attempts.map(({ name, line }) => `${name}) ${line} ;;`);
  return `${variables.join('\n')}
attempt() { case $1 in
${cases.join('\n')}
esac; }
for name in "$@"; do
  printf '\\n@@%s\\n' "$name" >&2
  if ( attempt "$name" ) >&2; then echo "$name done"; else echo "$name refused"; fi
done
`;
}
