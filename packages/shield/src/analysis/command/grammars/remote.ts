import { isLoopback } from '../../arguments/host-place.ts';
import { LABEL } from '../../effects/labels.ts';
import { type ParsedArguments, parseArguments } from '../programs/parse-options.ts';
import { EMPTY, joinTexts, literal, type Text, unknownText } from '../shell/text.ts';
import type { Call, Grammar } from './grammar.ts';
import { runOption, valuesFor } from './option-values.ts';

const REMOTE =
  /^(?:[\w.-]+@)?[\w.-]{2,}:(?!\\)|^\w[\w+-]*:\/\/|^(?:[\w.-]+@)?\[[\da-f:]+\]:|^[\w.-]+::|^\uE000:/i;

const COPIERS = /^(?:scp|pscp|gscp|rsync|grsync|openrsync|unison|rdiff-backup|csync2|lsyncd)$/;

/** `scp`, `rsync`, `sftp`: copies, one end of which may be another machine. */
const remoteCopy: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  sshSettings(call, parsed);
  for (const each of parsed.values) {
    if (each.use === 'shell' || each.use === 'program') runOption(call, each.name, each.value);
    else if (each.use === 'write') call.walk.write(each.value, EMPTY);
  }
  if (COPIERS.test(call.name)) copyBetween(call, parsed);
  else return transfer(call, parsed);
  return unknownText(LABEL.none);
};

function copyBetween({ walk, name }: Call, { operands, flags }: ParsedArguments): void {
  const target = operands.at(-1) ?? EMPTY;
  const sources = operands.slice(0, -1);
  const local = sources.filter(({ text }) => !REMOTE.test(text));
  const remote = sources.length > local.length;
  const contents = local.map((source) => walk.read(source, 'copy'));
  const content = joinTexts([remote ? unknownText(LABEL.downloaded) : EMPTY, ...contents]);
  if (REMOTE.test(target.text)) {
    walk.emit({ verb: 'send', kind: 'copy', labels: content.labels | LABEL.file, object: target.text });
  } else if (sources.length > 0) {
    if (remote) walk.emit({ verb: 'fetch', kind: 'copy', labels: LABEL.downloaded, object: name });
    walk.write(target, content, 'copy');
    if (flags.has('--delete') || flags.has('--remove-source-files')) walk.remove(target, 'found');
  }
}

/**
 * Clients with their own commands: `put` sends, `get` fetches. Without commands they wait for a
 * person's input.
 */
function transfer(call: Call, parsed: ParsedArguments): Text {
  const host = parsed.operands[0]?.text ?? '';
  const codes = valuesFor(parsed, 'code');
  const input = valuesFor(parsed, 'input').map((file) => call.walk.read(file, 'run'));
  const script = joinTexts([call.stdin, ...codes, ...input, ...parsed.operands.slice(1)], '\n');
  let labels = script.labels;
  for (const [, file = ''] of script.text.matchAll(/(?:^|[\n;])\s*(?:m?put|mirror -R|reput|send)\s+(\S+)/g))
    labels |= call.walk.read(literal(file), 'upload').labels | LABEL.file;
  for (const [, command = ''] of script.text.matchAll(/(?:^|[\n;])\s*!\s*([^\n]+)/g))
    runOption(call, '!', literal(command));
  if (host !== '' && !host.startsWith('-') && script.text.trim() !== '')
    call.walk.emit({ verb: 'send', kind: 'transfer', labels, object: `${call.name} ${host}` });
  return unknownText(LABEL.downloaded);
}

const RUNNING_SETTINGS =
  /^(?:ProxyCommand|LocalCommand|KnownHostsCommand|Match|PKCS11Provider|SecurityKeyProvider|XAuthLocation|Include|PermitLocalCommand)$/i;

/** `-o ProxyCommand=…` and similar settings, settings files, loaded libraries. */
function sshSettings(call: Call, { values }: ParsedArguments): void {
  for (const { name, use, value } of values) {
    if (use === 'config') sshSetting(call, value);
    else if (name === '-E') call.walk.write(value, EMPTY);
    else if ((name === '-F' || name === '-I') && value.text !== '/dev/null' && value.text !== 'none') {
      const object = `${call.name} ${name} ${value.text}`;
      call.walk.emit({ verb: 'evaluate', kind: 'option', labels: LABEL.none, object });
    }
  }
}

function sshSetting(call: Call, setting: Text): void {
  const [, name = '', value = ''] = /^\s*(\w+)\s*[= ]\s*(.*)$/s.exec(setting.text) ?? [];
  if (!RUNNING_SETTINGS.test(name) || /^(?:none|no)$/i.test(value)) return;
  const object = `${call.name} -o ${setting.text}`;
  call.walk.emit({ verb: 'evaluate', kind: 'option', labels: setting.labels, object });
  call.walk.shell({ text: value, labels: setting.labels });
}

/** `ssh HOST COMMAND`: runs on another machine, outside any box of ours. */
const ssh: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program, 'operand');
  sshSettings(call, parsed);
  for (const each of parsed.values)
    if (each.use === 'program' || each.use === 'shell') runOption(call, each.name, each.value);
  const [host, ...first] = parsed.operands;
  // Options may follow the host.
  const again = parseArguments(first, call.program, 'operand');
  sshSettings(call, again);
  const forwards = [...parsed.values, ...again.values].some(({ name }) => /^-[Rw]$/.test(name));
  if (host === undefined) return EMPTY;
  if (forwards)
    call.walk.emit({ verb: 'listen', kind: 'tunnel', labels: LABEL.none, object: `ssh ${host.text}` });
  const command = joinTexts([EMPTY, ...again.operands], ' ');
  // A local port without a shell: `telnet` as a probe.
  if (call.name === 'telnet' && isLoopback(host.text) && call.stdin.text === '') return unknownText();
  const labels = (call.stdin.labels | command.labels) & ~LABEL.opaque;
  call.walk.emit({
    verb: 'connect',
    kind: 'remote-shell',
    labels,
    object: `${host.text} ${command.text.trim()}`,
  });
  if (labels !== 0) call.walk.emit({ verb: 'send', kind: 'stream', labels, object: host.text });
  return { text: '\uE000', labels: LABEL.downloaded | LABEL.opaque };
};

/** Grammars of programs that act on other machines. */
export const REMOTE_GRAMMARS: Readonly<Record<string, Grammar>> = { 'remote-copy': remoteCopy, ssh };
