import { hasLabel, LABEL } from '../../effects/labels.ts';
import { HOLE, hasHole, isKnown, mayBe } from '../../effects/pattern-text.ts';
import { GRAMMARS } from '../grammars/grammars.ts';
import { assignForProgram } from '../grammars/powerful-variables.ts';
import { ADMINISTRATION_TABLE, administrationOf } from '../programs/administration-table.ts';
import { PROGRAMS } from '../programs/program-table.ts';
import { EMPTY, type Text, unknownText } from '../shell/text.ts';
import type { Walk } from '../shell/walk.ts';

const SYSTEM_FOLDERS =
  /^\/(?:usr\/(?:local\/)?|opt\/homebrew\/)?s?bin\/$|^\/usr\/libexec\/$|^\/System\/Library\/.*\/$/;

/**
 * Runs a program by its words: applies its grammar, its kind of power, and the file at its path.
 *
 * @param words name and arguments, at least one
 */
export function runProgram(words: readonly Text[], stdin: Text, walk: Walk): Text {
  const [first = EMPTY, ...args] = words;
  walk.budget.command();
  if (/^\w+=/.test(first.text)) {
    const at = first.text.indexOf('=');
    assignForProgram(walk, first.text.slice(0, at), {
      text: first.text.slice(at + 1),
      labels: first.labels,
    });
    return args.length === 0 ? EMPTY : walk.budget.deeper(() => runProgram(args, stdin, walk));
  }
  if (!isKnown(first.text)) return computed(first, args, stdin, walk);
  const slash = first.text.lastIndexOf('/') + 1;
  const folder = first.text.slice(0, slash);
  const name = first.text.slice(slash);
  if (folder !== '' && !SYSTEM_FOLDERS.test(folder)) {
    const ran = runFile(first, args, stdin, walk);
    if (ran !== undefined) return ran;
  }
  if (hasLabel(first.labels, 'downloaded', 'decoded')) {
    walk.emit({ verb: 'evaluate', labels: first.labels, object: first.text });
  }
  return named(programName(name), args, stdin, walk);
}

/** `python3.12` is `python3`; file endings of other systems are removed. */
function programName(name: string): string {
  if (/^[a-z_-]+$/.test(name)) return name;
  const plain = name.replace(/\.exe$/i, '');
  const versioned = /^(python|pypy|perl|ruby|php|lua|node|tclsh|guile|ssh|gcc)-?\d[\d.]*$/.exec(plain)?.[1];
  return versioned ?? plain;
}

/** True for a query of the program's version or help. */
function onlyAsks(texts: readonly string[]): boolean {
  return texts.length > 0 && texts.every((text) => /^(?:--?version|--?help|-h|-V|-\?)$/.test(text));
}

function named(name: string, args: readonly Text[], stdin: Text, walk: Walk): Text {
  const texts = args.map(({ text }) => text);
  if (onlyAsks(texts) && !/^-h$/.test(texts[0] ?? '')) return unknownText(LABEL.none);
  const kinds = administrationOf(name, texts);
  const service = kinds.includes('services') ? serviceKind(texts) : undefined;
  for (const kind of service === undefined ? kinds : [...kinds, service])
    walk.administer(kind, `${name} ${texts.join(' ')}`.trim());
  const program = PROGRAMS.get(name);
  const grammar = program === undefined ? undefined : GRAMMARS.get(program.role);
  if (program !== undefined && grammar !== undefined) {
    return walk.budget.deeper(() => grammar({ name, program, args, stdin, walk }));
  }
  if (!ADMINISTRATION_TABLE.has(name))
    walk.emit({ verb: 'execute', kind: 'unknown-program', labels: LABEL.none, object: name });
  return mentions(name, args, stdin, walk);
}

const TELLS_OF_HOST =
  /^(?:ps|top|htop|netstat|ss|lsof|ifconfig|ip|hostname|id|who|w|whoami|last|lscpu|lshw|dmidecode|system_profiler|arp|route|mount|df|lsblk|printenv|uname|sysctl|getent|ioreg|sw_vers|scutil|hostnamectl|lsusb|lspci|dmesg|journalctl|networksetup|dscl|dscacheutil)$/;
const DUMPS_DATA =
  /^(?:pg_dump|pg_dumpall|mysqldump|mariadb-dump|mongodump|mongoexport|slapcat|ldapsearch|dsexport)$/;
/** The server that answers sees the name they look up. */
const LOOKS_UP = /^(?:whois|finger|dig|host|nslookup|drill|kdig|ping6?|traceroute6?|tracepath|mtr)$/;

/** An unknown program with paths of credentials among its arguments: assumed to read them. */
function mentions(name: string, args: readonly Text[], stdin: Text, walk: Walk): Text {
  let labels = stdin.labels | LABEL.opaque;
  for (const each of args) labels |= mention(each, walk);
  if (TELLS_OF_HOST.test(name)) labels |= LABEL.host;
  if (DUMPS_DATA.test(name)) labels |= LABEL.private;
  const [first] = args;
  if (LOOKS_UP.test(name) && args.some(tellsWhoAnswers)) {
    let sent: number = LABEL.none;
    for (const each of args) sent |= each.labels;
    walk.emit({ verb: 'send', kind: 'address', labels: sent, object: name });
  }
  if (name === 'getent' && /^g?shadow$/.test(first?.text ?? '')) {
    walk.administer('secrets', 'getent shadow', LABEL.secret);
    labels |= LABEL.secret;
  }
  if (name === 'printenv' && first === undefined) {
    walk.emit({ verb: 'disclose', kind: 'environment', labels: LABEL.environment, object: 'printenv' });
    labels |= LABEL.environment;
  }
  return unknownText(labels);
}

/**
 * True if the answering server receives private data. This machine's whole name alone is not
 * private.
 */
function tellsWhoAnswers({ text, labels }: Text): boolean {
  return hasLabel(labels, ...PRIVATE_LABELS) && !(text === HOLE && !hasLabel(labels, ...MORE_THAN_HOST));
}

const MORE_THAN_HOST = ['secret', 'environment', 'private', 'accounts'] as const;
const PRIVATE_LABELS = ['secret', 'environment', 'private', 'accounts', 'host', 'file'] as const;

function mention(word: Text, walk: Walk): number {
  const equals = word.text.indexOf('=');
  const path = equals < 0 ? word : { text: word.text.slice(equals + 1), labels: word.labels };
  if (!/[/.~]/.test(path.text) || /^-?-\w+$|:\/\//.test(path.text)) return LABEL.none;
  const { labels } = walk.read(path, 'mention');
  return walk.placeOf(path).overlays.includes('possible-credentials') ? labels & ~LABEL.secret : labels;
}

/** A program by a path outside the program folders: this command may have written it. */
function runFile(path: Text, args: readonly Text[], stdin: Text, walk: Walk): Text | undefined {
  const place = walk.placeOf(path);
  const content = walk.read(path, 'run');
  if (content.labels !== 0 && hasLabel(content.labels, 'downloaded', 'decoded')) {
    walk.emit({ verb: 'evaluate', labels: content.labels, object: place.path });
    return unknownText();
  }
  if (!hasHole(content.text) && content.text !== '') {
    return walk.shell(content, { stdin, parameters: [path, ...args] });
  }
  walk.emit({ verb: 'execute', place, labels: content.labels, object: place.path });
  return undefined;
}

/** A name known only at run time, or a glob that may match a known program. */
function computed(first: Text, args: readonly Text[], stdin: Text, walk: Walk): Text {
  walk.emit({
    verb: hasLabel(first.labels, 'downloaded', 'decoded') ? 'evaluate' : 'compute',
    labels: first.labels,
    object: first.text,
  });
  if (hasHole(first.text)) {
    for (const arg of args) walk.read(arg, 'mention');
    return unknownText();
  }
  const pattern = first.text.split('/').at(-1) ?? '';
  const names = [...PROGRAMS.keys(), ...ADMINISTRATION_TABLE.keys()].filter((name) => mayBe(pattern, name));
  for (const name of new Set(names.slice(0, 12))) named(name, args, stdin, walk);
  return unknownText();
}

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
function serviceKind(args: readonly string[]): 'guard-off' | 'services-unknown' | undefined {
  if (!args.some((each) => STOPS.has(each))) return undefined;
  if (args.some((each) => GUARDING.test(each))) return 'guard-off';
  return args.some(hasHole) ? 'services-unknown' : undefined;
}
