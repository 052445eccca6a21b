import { nameMatcher } from '@bulkhead/protocol';

/**
 * Names of places, for judging paths; credential places are listed only in
 * `effects/sensitive-places.ts`. Sources: the programs' own documentation of where they keep
 * things.
 */

/** Files of a process with its start-up data and its memory. */
export const PROCESS_FILES: ReadonlySet<string> = new Set([
  'environ',
  'mem',
  'maps',
  'cmdline',
  'auxv',
  'fd',
]);

/** A name of only these words, with a data file's ending, holds a secret. */
export const SECRET_WORDS: ReadonlySet<string> = new Set(
  'secret secrets credential credentials cred creds token tokens password passwords passwd passphrase apikey apikeys keytab keychain wallet seed mnemonic htpasswd'.split(
    ' ',
  ),
);
/** May stand beside one of those; makes `key` and `keys` a secret. */
export const SECRET_QUALIFIERS: ReadonlySet<string> = new Set(
  'api auth oauth access refresh bearer client service account master private signing encryption deploy ssh root admin db database prod production staging dev live app application my user session jwt aws gcp azure google firebase github gitlab slack stripe npm backup canary vault local default'.split(
    ' ',
  ),
);
export const KEY_WORDS: ReadonlySet<string> = new Set(['key', 'keys', 'keyfile', 'keyring']);
export const DATA_ENDINGS: ReadonlySet<string> = new Set(
  '. txt json jsonl yaml yml toml ini conf cfg env xml csv tsv db sqlite sqlite3 key token secret bak old dat bin properties plist asc gpg enc md log'.split(
    ' ',
  ),
);

/** Files and folders of a home with personal data. */
export const PRIVATE_PLACES = [
  'documents',
  'desktop',
  'downloads',
  'pictures',
  'photos',
  'movies',
  'music',
  'mail',
  'maildir',
  '.thunderbird',
  '.local/share/evolution',
  '.config/signal',
  '.config/discord',
  '.config/slack',
  '.config/telegramdesktop',
  '.local/share/telegramdesktop',
  'library/messages',
  'library/mail',
  'library/calendars',
  'library/application support',
  'library/containers',
  '.bash_history',
  '.zsh_history',
  '.history',
  '.python_history',
  '.node_repl_history',
  '.psql_history',
  '.mysql_history',
  '.lesshst',
  '.viminfo',
].map((path) => path.split('/'));

/** Below the root: the folders of the system. */
export const SYSTEM_ROOTS: ReadonlySet<string> = new Set(
  'etc usr bin sbin lib lib32 lib64 libx32 boot dev proc sys var opt srv run system library applications windows private nix snap'.split(
    ' ',
  ),
);
/** Below the root: scratch for everyone, although in a system folder. */
export const SCRATCH_ROOTS = [
  'tmp',
  'var/tmp',
  'dev/shm',
  'var/folders',
  'dev/null',
  'dev/stdout',
  'dev/stderr',
].map((path) => path.split('/'));

/** From the root: obeyed at start, at login or by a timer, or files that grant rights. */
export const START_UP_ROOTS = [
  'etc/cron.d',
  'etc/cron.daily',
  'etc/cron.hourly',
  'etc/cron.weekly',
  'etc/cron.monthly',
  'etc/crontab',
  'etc/anacrontab',
  'etc/at.allow',
  'etc/profile',
  'etc/profile.d',
  'etc/bash.bashrc',
  'etc/bashrc',
  'etc/zshrc',
  'etc/zshenv',
  'etc/zsh',
  'etc/environment',
  'etc/init.d',
  'etc/init',
  'etc/inittab',
  'etc/rc.local',
  'etc/rc.d',
  'etc/systemd',
  'etc/xdg/autostart',
  'etc/ld.so.preload',
  'etc/ld.so.conf',
  'etc/ld.so.conf.d',
  'etc/pam.d',
  'etc/passwd',
  'etc/group',
  'etc/sudoers.d',
  'etc/ssh',
  'etc/hosts',
  'etc/resolv.conf',
  'etc/nsswitch.conf',
  'etc/udev',
  'etc/modprobe.d',
  'etc/modules-load.d',
  'etc/modules',
  'etc/sysctl.conf',
  'etc/sysctl.d',
  'etc/apt',
  'etc/update-motd.d',
  'etc/logrotate.d',
  'etc/networkmanager/dispatcher.d',
  'etc/acpi',
  'usr/lib/systemd',
  'lib/systemd',
  'usr/local/bin',
  'usr/local/sbin',
  'usr/bin',
  'usr/sbin',
  'bin',
  'sbin',
  'boot',
  'var/spool/cron',
  'var/spool/at',
  'library/launchdaemons',
  'library/launchagents',
  'library/startupitems',
  'system/library/launchdaemons',
].map((path) => path.split('/'));

/** Words in the name of a guard; writing or deleting such a file weakens it. */
export const GUARD_WORDS: ReadonlySet<string> = new Set(
  'shield sandbox firewall iptables nftables ufw selinux apparmor seccomp antivirus clamav crowdstrike auditd auditctl falco ossec wazuh fail2ban guardrail guardrails'.split(
    ' ',
  ),
);

/** Words in the name of a record of past actions. */
export const EVIDENCE_WORDS: ReadonlySet<string> = new Set(
  'audit auditlog journal history wtmp btmp lastlog utmp'.split(' '),
);

/** The product's own folder, at any depth. */
export const isOwnFolder = nameMatcher(['.bulkhead', '.bulkhead-scratch']);
/** The agent's identity; read-only. */
export const isIdentityFile = nameMatcher(['soul.md', 'identity.md']);
export const isSkillFile = nameMatcher(['skill.md']);
/** Instructions that every run of the agent receives; a person approves each write. */
export const isStandingFile = nameMatcher([
  'agents.md',
  'heartbeat.md',
  'claude.md',
  'gemini.md',
  '.cursorrules',
]);
/** The agent's memory; its text is judged as memory. */
export const isMemoryFile = nameMatcher(['memory.md', 'user.md']);
