import { hasHole } from '../../effects/pattern-text.ts';

const STOPS: ReadonlySet<string> = new Set(
  'stop disable mask kill unload bootout remove onestop isolate off'.split(' '),
);

/**
 * Services that record or restrict activity on a machine: logs, audit, firewalls, mandatory access,
 * scanners.
 */
const GUARDING =
  /(?:^|[./@-])(?:systemd-journald|r?syslogd?|syslog-ng|auditd|audit|u?fw|pf|firewalld|iptables|ip6tables|nftables|apparmor|selinux|fail2ban|sshguard|crowdsec|clamav\w*|clamd|freshclam|ossec\w*|wazuh\w*|osqueryd?|falco|falcon\w*|tripwire|aide|rkhunter|suricata|snort|littlesnitchd?|alf|xprotect\w*)(?:$|[./@-])/i;

/**
 * The kind of a command that stops services: `guard-off` for one that guards or records,
 * `services-unknown` where the services are only known when the command runs.
 *
 * @param args of `systemctl`, `service`, `launchctl` and similar
 */
export function serviceKind(args: readonly string[]): 'guard-off' | 'services-unknown' | undefined {
  if (!args.some((each) => STOPS.has(each))) return undefined;
  if (args.some((each) => GUARDING.test(each))) return 'guard-off';
  return args.some(hasHole) ? 'services-unknown' : undefined;
}
