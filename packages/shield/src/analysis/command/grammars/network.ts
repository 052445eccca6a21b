import { isLoopback } from '../../arguments/host-place.ts';
import { LABEL, type Labels } from '../../effects/labels.ts';
import { type ParsedArguments, parseArguments } from '../programs/parse-options.ts';
import { EMPTY, literal, type Text, unknownText } from '../shell/text.ts';
import type { Call, Grammar } from './grammar.ts';
import { applyValues, hasFlag, optionValue, runOption, valuesFor } from './option-values.ts';

const METADATA =
  /169\.254\.169\.254|fd00:ec2::254|metadata\.google\.internal|169\.254\.170\.2|100\.100\.100\.200|metadata\.azure/i;
const ONION = /\.onion(?:$|[/:])/i;

/** Labels of a text that leaves as part of an address or a header. */
function outgoing(texts: readonly Text[]): Labels {
  let labels: Labels = LABEL.none;
  for (const each of texts) labels |= each.labels;
  return labels;
}

/** `curl`, `wget` and similar: sources, sent data, and where results are stored. */
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
    call.walk.emit({
      verb: 'send',
      kind: kindOf(parsed, urls, body || changes ? 'body' : 'address'),
      labels,
      object,
    });
  applySettings(call, parsed);
  return received(call, parsed, urls, object);
};

/** The loopback of a command is its session's own: it leads to no server of this machine or of another. */
function kindOf({ values }: ParsedArguments, urls: readonly Text[], kind: string): string {
  if (urls.length === 0 || values.some(({ name }) => DETOUR.test(name))) return kind;
  return urls.every(({ text }) => isOnLoopback(text)) ? 'loopback' : kind;
}

/** Options that lead a request to another place than its address says. */
const DETOUR =
  /^(?:-x|--proxy|--preproxy|--socks.*|--connect-to|--resolve|--doh-url|--unix-socket|-e|--execute)$/;

function isOnLoopback(text: string): boolean {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  return url !== null && /^https?:$/.test(url.protocol) && isLoopback(url.hostname);
}

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

const FOLDER_OPTION = /^(?:-P|--directory-prefix|--output-dir|--dir)$/;

/** Data that was fetched: printed, or stored in files. */
function received(call: Call, parsed: ParsedArguments, urls: readonly Text[], object: string): Text {
  const content: Text = { text: '\uE000', labels: LABEL.downloaded };
  const outputs = parsed.values.filter(({ use, name }) => use === 'write' && !FOLDER_OPTION.test(name));
  const files = outputs.filter(({ value }) => value.text !== '-');
  call.walk.emit({ verb: 'fetch', labels: LABEL.downloaded, object });
  for (const { value } of files) call.walk.write(value, content, 'download');
  const byName = hasFlag(parsed, '-O', '--remote-name', '--remote-name-all', '-J');
  const keeps = !/^(?:curl|fetch|http|xh|GET)/.test(call.name) && files.length === 0;
  if ((byName || keeps) && files.length === outputs.length) {
    const folder = parsed.values.find(({ name }) => FOLDER_OPTION.test(name))?.value.text;
    for (const url of urls) call.walk.write(literal(savedName(url.text, folder)), content, 'download');
    return EMPTY;
  }
  const kept = files.some(({ name }) => /^(?:-o|-O|--out|--output|--output-document|-a)$/.test(name));
  return kept ? EMPTY : content;
}

/** Returns the last part of the address, inside the given folder if any. */
function savedName(url: string, folder: string | undefined): string {
  const last =
    url
      .replace(/[?#].*$/, '')
      .split('/')
      .at(-1) ?? '';
  const name = last === '' ? 'index.html' : last;
  return folder === undefined ? name : `${folder}/${name}`;
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

/** `nc`, `socat`: a bare connection in either direction; some run a program at its end. */
const netcat: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  const { walk } = call;
  const object = [call.name, ...call.args.map(({ text }) => text)].join(' ');
  const listens = [...parsed.flags].some((flag) => /^-\w*l|^--listen/.test(flag)) || /listen/i.test(object);
  shellsAtEnd(call, parsed, object);
  for (const [, path = ''] of object.matchAll(/\b(?:open|file|gopen|create):([^\s,]+)/gi))
    walk.read(literal(path));
  if (hasFlag(parsed, '-z') || (parsed.operands.length === 0 && !listens)) walk.administer('scan', object);
  else {
    if (listens) walk.emit({ verb: 'listen', labels: call.stdin.labels, object });
    if (!listens || call.stdin.text !== '') {
      const kind = !listens && leadsToLoopback(call, parsed) ? 'loopback' : 'stream';
      walk.emit({ verb: 'send', kind, labels: call.stdin.labels, object });
    }
  }
  return { text: '\uE000', labels: LABEL.downloaded };
};

function leadsToLoopback({ args }: Call, { operands }: ParsedArguments): boolean {
  const isByProxy = args.some(({ text }) => /^-\w*[xX]|^--proxy/.test(text));
  return !isByProxy && isLoopback(operands[0]?.text ?? '');
}

function shellsAtEnd({ walk }: Call, parsed: ParsedArguments, object: string): void {
  const programs = parsed.values.filter(({ use }) => use === 'shell' || use === 'program');
  if (programs.length > 0 || /\b(?:exec|system|shell):/i.test(object)) {
    walk.emit({ verb: 'evaluate', kind: 'network-shell', labels: 0, object });
  }
  for (const { value } of programs) walk.shell(value);
}

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

/** Grammars of programs that fetch, send and connect. */
export const NETWORK_GRAMMARS: Readonly<Record<string, Grammar>> = {
  fetch,
  api,
  netcat,
  mail,
};
