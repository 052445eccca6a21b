import { LABEL, type Labels } from '../../effects/labels.ts';
import { type ParsedArguments, parseArguments } from '../programs/parse-options.ts';
import { EMPTY, joinTexts, literal, type Text, unknownText } from '../text.ts';
import type { Call, Grammar } from './grammar.ts';
import { applyValues, hasFlag, runOption, optionValue, valuesFor } from './option-values.ts';

const METADATA =
  /169\.254\.169\.254|fd00:ec2::254|metadata\.google\.internal|169\.254\.170\.2|100\.100\.100\.200|metadata\.azure/i;
const ONION = /\.onion(?:$|[/:])/i;

/** Labels of a word that goes out as part of an address or a header. */
function outgoing(texts: readonly Text[]): Labels {
  let labels: Labels = LABEL.none;
  for (const each of texts) labels |= each.labels;
  return labels;
}

/** `curl`, `wget` and their kin: what comes from where, what goes there, where it is kept. */
const fetch: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  const urls = [...parsed.operands, ...valuesFor(parsed, 'host')];
  for (const url of urls) address(call, url);
  const sent = [
    ...valuesFor(parsed, 'data').map((value) => dataValue(call, value)),
    ...uploads(call, parsed),
  ];
  const body = parsed.values.some(({ name, use }) => (use === 'data' && BODY.test(name)) || use === 'upload');
  const changes = /^(?:POST|PUT|PATCH|DELETE)$/i.test(
    optionValue(parsed, '-X', '--request', '--method')?.text ?? '',
  );
  const labels = outgoing([...sent, ...urls]);
  const object = urls.map(({ text }) => text).join(' ');
  if (body || changes || (labels & ~LABEL.opaque & ~LABEL.file) !== 0)
    call.walk.emit({ verb: 'send', kind: body || changes ? 'body' : 'address', labels, object });
  applySettings(call, parsed);
  return received(call, parsed, urls, object);
};

const BODY = /^(?:-d|-F|--data.*|--json|--form.*|--post-data|--body-data|-T)$/;

function uploads(call: Call, parsed: ParsedArguments): readonly Text[] {
  return valuesFor(parsed, 'upload').map((file) =>
    file.text === '-' || file.text === '.' ? call.stdin : call.walk.read(file, 'upload'),
  );
}

/** `@file`, `name=@file`, `<file`, or the text itself. */
function dataValue(call: Call, value: Text): Text {
  const file = /^(?:[\w.[\]-]*=)?[@<]([^;]+)/.exec(value.text)?.[1];
  if (file === undefined) return value;
  if (file === '-') return { ...call.stdin, labels: call.stdin.labels | LABEL.file };
  const content = call.walk.read({ text: file, labels: value.labels }, 'upload');
  return { text: content.text, labels: content.labels | LABEL.file };
}

function address(call: Call, url: Text): void {
  const { walk } = call;
  if (METADATA.test(url.text)) walk.administer('metadata', url.text, LABEL.secret);
  if (ONION.test(url.text)) walk.administer('anonymity', url.text);
  const file = /^file:\/\/[^/]*(\/.*)$/i.exec(url.text)?.[1];
  if (file !== undefined) walk.read(literal(file));
  const scheme = /^(gopher|dict|ldaps?|smb|tftp|telnet|rtmp|imaps?|pop3s?|smtps?):/i.exec(url.text)?.[1];
  if (scheme !== undefined) walk.emit({ verb: 'send', kind: 'body', labels: url.labels, object: url.text });
}

function applySettings(call: Call, parsed: ParsedArguments): void {
  const other = parsed.values.filter(({ use }) => use === 'read' || use === 'shell' || use === 'program');
  applyValues(call, { ...parsed, values: other }, EMPTY);
  for (const each of valuesFor(parsed, 'config')) {
    const program = /(?:use_askpass|ProxyCommand)\s*=\s*(.+)/i.exec(each.text)?.[1];
    if (program !== undefined) runOption(call, 'use_askpass', literal(program));
  }
  const silent = hasFlag(parsed, '--remote-time-skip');
  if (silent) call.walk.administer('safeguards', call.name);
}

/** What was fetched: printed, or kept in files. */
function received(call: Call, parsed: ParsedArguments, urls: readonly Text[], object: string): Text {
  const content: Text = { text: '\uE000', labels: LABEL.downloaded };
  const files = parsed.values.filter(({ use, value }) => use === 'write' && value.text !== '-');
  const toOutput = parsed.values.some(({ use, value }) => use === 'write' && value.text === '-');
  call.walk.emit({ verb: 'fetch', labels: LABEL.downloaded, object });
  const folder = optionValue(parsed, '-P', '--directory-prefix', '--output-dir', '--dir');
  for (const { name, value } of files) {
    if (!/^(?:-P|--directory-prefix|--output-dir|--dir)$/.test(name))
      call.walk.write(value, content, 'download');
  }
  const named =
    hasFlag(parsed, '-O', '--remote-name', '--remote-name-all', '-J') ||
    (!/^(?:curl|fetch|http|xh|GET)/.test(call.name) && files.length === 0);
  if (named && !toOutput) {
    for (const url of urls) {
      const name =
        url.text
          .replace(/[?#].*$/, '')
          .split('/')
          .at(-1) ?? '';
      const path = name === '' ? 'index.html' : name;
      call.walk.write(literal(folder === undefined ? path : `${folder.text}/${path}`), content, 'download');
    }
    return EMPTY;
  }
  const kept = files.some(({ name }) => /^(?:-o|-O|--out|--output|--output-document|-a)$/.test(name));
  return kept ? EMPTY : content;
}

/** Clients of web services, and programs that load them. */
const api: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  const sent = valuesFor(parsed, 'data').map((value) => dataValue(call, value));
  for (const operand of parsed.operands) address(call, operand);
  const fields = parsed.operands.slice(1).filter(({ text }) => /^[\w.-]+(?::?=|@)/.test(text));
  const method = parsed.operands.some(({ text }) => /^(?:POST|PUT|PATCH|DELETE)$/.test(text));
  const files = fields.map(({ text }) => /@(.+)$/.exec(text)?.[1]).filter((file) => file !== undefined);
  const labels = outgoing([
    ...sent,
    ...fields,
    ...uploads(call, parsed),
    ...files.map((file) => call.walk.read(literal(file), 'upload')),
    call.stdin,
  ]);
  if (sent.length + fields.length > 0 || method || (labels & ~LABEL.opaque) !== 0) {
    call.walk.emit({ verb: 'send', kind: 'body', labels, object: parsed.operands[0]?.text ?? call.name });
  }
  call.walk.emit({ verb: 'fetch', labels: LABEL.downloaded, object: parsed.operands[0]?.text ?? call.name });
  applyValues(call, { ...parsed, values: parsed.values.filter(({ use }) => use !== 'upload') }, EMPTY);
  return { text: '\uE000', labels: LABEL.downloaded };
};

const REMOTE =
  /^(?:[\w.-]+@)?[\w.-]{2,}:(?!\\)|^\w[\w+-]*:\/\/|^(?:[\w.-]+@)?\[[\da-f:]+\]:|^[\w.-]+::|^\uE000:/i;

/** `scp`, `rsync`, `sftp`: copies, one end of which may be another machine. */
const remoteCopy: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  sshSettings(call, parsed);
  for (const each of parsed.values) {
    if (each.use === 'shell' || each.use === 'program') runOption(call, each.name, each.value);
    else if (each.use === 'write') call.walk.write(each.value, EMPTY);
  }
  if (!/^(?:scp|pscp|gscp|rsync|grsync|openrsync|unison|rdiff-backup|csync2|lsyncd)$/.test(call.name))
    return transfer(call, parsed);
  const target = parsed.operands.at(-1) ?? EMPTY;
  const sources = parsed.operands.slice(0, -1);
  const local = sources.filter(({ text }) => !REMOTE.test(text));
  const remote = sources.length > local.length;
  const contents = local.map((source) => call.walk.read(source, 'copy'));
  const content = joinTexts([remote ? unknownText(LABEL.downloaded) : EMPTY, ...contents]);
  if (REMOTE.test(target.text))
    call.walk.emit({ verb: 'send', kind: 'copy', labels: content.labels | LABEL.file, object: target.text });
  else if (sources.length > 0) {
    if (remote) call.walk.emit({ verb: 'fetch', kind: 'copy', labels: LABEL.downloaded, object: call.name });
    call.walk.write(target, content, 'copy');
    if (parsed.flags.has('--delete') || parsed.flags.has('--remove-source-files'))
      call.walk.remove(target, 'found');
  }
  return unknownText(LABEL.none);
};

/** Clients with commands of their own: `put` sends, `get` fetches. */
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
  if (host !== '' && !host.startsWith('-'))
    call.walk.emit({ verb: 'send', kind: 'transfer', labels, object: `${call.name} ${host}` });
  return unknownText(LABEL.downloaded);
}

/** `-o ProxyCommand=…` and settings like it. */
function sshSettings(call: Call, parsed: ParsedArguments): void {
  for (const setting of valuesFor(parsed, 'config')) {
    const [, name = '', value = ''] = /^\s*(\w+)\s*[= ]\s*(.*)$/s.exec(setting.text) ?? [];
    if (
      /^(?:ProxyCommand|LocalCommand|KnownHostsCommand|Match|PKCS11Provider|SecurityKeyProvider|XAuthLocation|Include|PermitLocalCommand)$/i.test(
        name,
      )
    ) {
      if (/^(?:none|no)$/i.test(value)) continue;
      call.walk.emit({
        verb: 'evaluate',
        kind: 'option',
        labels: setting.labels,
        object: `${call.name} -o ${setting.text}`,
      });
      call.walk.shell({ text: value, labels: setting.labels });
    }
  }
  for (const { name, value } of parsed.values) {
    if (name === '-F' || name === '-I' || name === '-E') {
      if (name === '-E') call.walk.write(value, EMPTY);
      else if (value.text !== '/dev/null' && value.text !== 'none')
        call.walk.emit({
          verb: 'evaluate',
          kind: 'option',
          labels: 0,
          object: `${call.name} ${name} ${value.text}`,
        });
    }
  }
}

/** `ssh HOST COMMAND`: another machine, where nothing of ours is in a box. */
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

/** `nc`, `socat`: a bare connection, either way; some run a program at its end. */
const netcat: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  const { walk } = call;
  const words = call.args.map(({ text }) => text).join(' ');
  const listens = [...parsed.flags].some((flag) => /^-\w*l|^--listen/.test(flag)) || /listen/i.test(words);
  for (const each of parsed.values) {
    if (each.use === 'shell' || each.use === 'program') {
      walk.emit({ verb: 'evaluate', kind: 'network-shell', labels: 0, object: `${call.name} ${words}` });
      walk.shell(each.value);
    }
  }
  for (const [, command = ''] of words.matchAll(/\b(?:exec|system|shell):(?:"([^"]*)"|[^\s,]+)/gi)) {
    walk.emit({ verb: 'evaluate', kind: 'network-shell', labels: 0, object: `${call.name} ${command}` });
  }
  for (const [, path = ''] of words.matchAll(/\b(?:open|file|gopen|create):([^\s,]+)/gi))
    walk.read(literal(path));
  if (hasFlag(parsed, '-z') || (parsed.operands.length === 0 && !listens)) {
    walk.administer('scan', `${call.name} ${words}`);
    return unknownText(LABEL.downloaded);
  }
  if (listens) walk.emit({ verb: 'listen', labels: call.stdin.labels, object: `${call.name} ${words}` });
  if (!listens || call.stdin.text !== '')
    walk.emit({ verb: 'send', kind: 'stream', labels: call.stdin.labels, object: `${call.name} ${words}` });
  return { text: '\uE000', labels: LABEL.downloaded };
};

const mail: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  const files = uploads(call, parsed);
  for (const code of valuesFor(parsed, 'code')) {
    if (/\$\{run|!|source|shell/.test(code.text)) runOption(call, '-e', code);
  }
  const to = [
    ...parsed.operands,
    ...parsed.values.filter(({ name }) => /^--to$/.test(name)).map(({ value }) => value),
  ];
  if (to.length === 0 && call.stdin.text === '' && files.length === 0)
    return unknownText(LABEL.private | LABEL.opaque);
  const labels =
    outgoing([call.stdin, ...files, ...valuesFor(parsed, 'data'), ...to]) |
    (files.length > 0 ? LABEL.file : 0);
  call.walk.emit({ verb: 'send', kind: 'mail', labels, object: to.map(({ text }) => text).join(' ') });
  return EMPTY;
};

/** Grammars of programs that reach other machines. */
export const NETWORK_GRAMMARS: Readonly<Record<string, Grammar>> = {
  fetch,
  api,
  'remote-copy': remoteCopy,
  ssh,
  netcat,
  mail,
};
