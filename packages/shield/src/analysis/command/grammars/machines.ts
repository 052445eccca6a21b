import { LABEL } from '../../effects/labels.ts';
import { type ParsedArguments, parseArguments } from '../programs/parse-options.ts';
import { EMPTY, joinTexts, literal, type Text, unknownText } from '../shell/text.ts';
import type { Call, Grammar } from './grammar.ts';
import { applyValues, hasFlag, optionValue, runOption, valuesFor } from './option-values.ts';
import { MAX_SCANNED } from './scan-code.ts';

/** Container and cluster clients: inspection, programs inside, and access to the outside. */
const container: Grammar = (call) => {
  const words = call.args.map(({ text }) => text);
  const plain = words.filter((word) => !word.startsWith('-'));
  const verb = plain.find((word) => VERBS.has(word)) ?? plain[0] ?? '';
  const text = words.join(' ');
  for (const kind of powersOf(call.name, verb, text)) call.walk.administer(kind, `${call.name} ${text}`);
  if (/^(?:push|publish)$/.test(verb)) {
    call.walk.emit({ verb: 'send', kind: 'publish', labels: LABEL.none, object: `${call.name} ${text}` });
  }
  if (/^(?:port-forward|proxy|expose|tunnel)$/.test(verb)) {
    call.walk.emit({ verb: 'listen', kind: 'tunnel', labels: 0, object: `${call.name} ${text}` });
  }
  if (verb === 'cp') copyOut(call, plain.slice(plain.indexOf('cp') + 1));
  inner(call, verb, plain);
  return { text: '\uE000', labels: LABEL.opaque };
};

/** Kinds of power of a subcommand. */
function powersOf(name: string, verb: string, text: string): readonly string[] {
  const cluster = isCluster(name);
  const shell = /^(?:exec|rsh|attach|ssh|console|shell|enter)$/.test(verb);
  const changes = cluster && CLUSTER_CHANGES.test(verb) && !(name === 'helm' && verb === 'create');
  const secrets = /^(?:get|describe)$/.test(verb) && /\bsecrets?\b/.test(text) && /-o|describe/.test(text);
  return [
    ...(ESCAPES.test(text) ? ['escape'] : []),
    ...(shell ? [cluster ? 'cluster-shell' : 'container-shell'] : []),
    ...(changes ? ['cluster'] : []),
    ...(secrets ? ['secrets'] : []),
    ...(verb === 'destroy' ? ['data-destruction'] : []),
  ];
}

const VERBS = new Set(
  `exec run rsh attach ssh console shell enter cp push publish get describe apply delete create edit patch replace scale drain cordon
   taint label annotate rollout install upgrade uninstall rollback prune destroy port-forward proxy expose set config build
   pull logs ps images inspect start stop rm rmi kill top events version login auth certificate debug tunnel`.split(
    /\s+/,
  ),
);
const ESCAPES =
  /--privileged|--pid[= ]host|--net(?:work)?[= ]host|--ipc[= ]host|--userns[= ]host|--cap-add|--security-opt[= ]\S*(?:unconfined|disable)|--device[= ]|(?:-v|--volume|--mount)[= ]\S*(?:docker\.sock|^\/:|[ =]\/:|source=\/,|src=\/,|\/etc|\/root|\/proc|\/var\/run)|-v ?\/:|hostPID|hostNetwork|"privileged":\s*true|--overrides/;
const CLUSTER_CHANGES =
  /^(?:apply|delete|create|edit|patch|replace|scale|drain|cordon|taint|rollout|install|upgrade|uninstall|rollback|set|label|annotate|run|debug|certificate)$/;

function isCluster(name: string): boolean {
  return /^(?:kubectl|oc|k3s|microk8s|helm|nomad|crictl|heroku|fly|flyctl|eb)$/.test(name);
}

function copyOut(call: Call, [from = '', to = '']: readonly string[]): void {
  if (/^[\w.-]+:/.test(from)) call.walk.write(literal(to), unknownText(), 'copy');
  else call.walk.read(literal(from), 'copy');
}

/** Judges the inner command as if it ran here, since it reads and sends the same data. */
function inner(call: Call, verb: string, plain: readonly string[]): void {
  if (!/^(?:exec|run|rsh|debug)$/.test(verb)) return;
  const dashes = call.args.findIndex(({ text }) => text === '--');
  const shell = call.args.findIndex(({ text }) => /^(?:(?:\/usr)?\/bin\/)?(?:ba|da|z|a|k)?sh$/.test(text));
  const start = dashes >= 0 ? dashes + 1 : shell;
  if (start >= 0) call.walk.apart().run(call.args.slice(start), call.stdin);
  else if (verb === 'exec' && plain.length > 2)
    call.walk.apart().run(
      plain.slice(plain.indexOf('exec') + 2).map((word) => literal(word)),
      call.stdin,
    );
}

const DESTROYS =
  /\b(?:drop\s+(?:table|database|schema|user|view|index|collection)|truncate\b|delete\s+from\s+[\w."]+\s*(?:;|$)|flushall|flushdb|dropDatabase|\.drop\(|shutdown)/i;
const DATABASE_RUNS =
  /(?:^|[\n;])\s*(?:\\!|!|\.shell|\.system|system|\\system)\s*\S|copy\s.*\b(?:from|to)\s+program|xp_cmdshell|load_extension|\.load\s|sys_exec|sys_eval|language\s+'?(?:c|plpython|plperl)|config\s+set\s+(?:dir|dbfilename)|module\s+load|load_file|into\s+(?:out|dump)file|lo_import|lo_export|pg_read_file|\.output\s+\||\.once\s+\|/i;
const GRANTS = /\b(?:grant\s+all|create\s+user|alter\s+user|set\s+password|create\s+role)\b/i;

/**
 * Database clients: statements that drop data, run programs, or read and write the server's files.
 */
const database: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  for (const each of parsed.values) {
    if (each.use === 'program') runOption(call, each.name, each.value);
    if (each.use === 'write') call.walk.write(each.value, EMPTY);
  }
  const code = statements(call, parsed);
  const object = `${call.name} ${code.text.trim().slice(0, 80)}`;
  if (DESTROYS.test(code.text)) call.walk.administer('data-destruction', object);
  if (GRANTS.test(code.text)) call.walk.administer('accounts', object);
  if (DATABASE_RUNS.test(code.text)) {
    call.walk.emit({ verb: 'evaluate', kind: 'option', labels: code.labels, object });
    const shell = /(?:\\!|\.shell|\.system|system|^!)\s*(.+)/.exec(code.text)?.[1];
    if (shell !== undefined) call.walk.shell(literal(shell.replace(/[;"']+$/, '')));
  }
  const remote = call.args.some(({ labels }) => (labels & LABEL.secret) !== 0);
  const labels = outgoing(code) | (remote ? LABEL.secret : 0);
  if (labels !== 0) call.walk.emit({ verb: 'send', kind: 'stream', labels, object });
  return { text: '\uE000', labels: LABEL.private | LABEL.opaque };
};

/** Everything that a client runs: options, files, its input, operands after the database's name. */
function statements(call: Call, parsed: ParsedArguments): Text {
  const operands = /^(?:sqlite3?|duckdb|litecli|mongo|mongosh)$/.test(call.name)
    ? parsed.operands.slice(1)
    : [];
  const words = call.name === 'redis-cli' ? parsed.operands : operands;
  const files = valuesFor(parsed, 'input').map((file) => call.walk.read(file, 'run'));
  const line = words.length > 0 ? [joinTexts(words, ' ')] : [];
  const { text, labels } = joinTexts(
    [EMPTY, ...valuesFor(parsed, 'code'), ...files, call.stdin, ...line],
    '\n',
  );
  return { text: text.slice(0, MAX_SCANNED), labels };
}

function outgoing({ labels }: Text): number {
  return labels & (LABEL.secret | LABEL.environment | LABEL.accounts);
}

const TOOL_VARIABLES = /^(?:SHELL|MAKE|CC|CXX|LD|AR)$/;
const USUAL_TOOLS =
  /^(?:gcc|g\+\+|clang|clang\+\+|cc|c\+\+|\/bin\/(?:ba|da)?sh|bash|sh|ld|ar|[\w-]+-(?:gcc|g\+\+|clang))$/;

/**
 * Build tools run the project's own recipes, which is ordinary work. Additions on the command line
 * are judged.
 */
const build: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  const { walk, name } = call;
  for (const { text } of [...call.args, ...valuesFor(parsed, 'code'), ...valuesFor(parsed, 'config')].filter(
    (word) => addsProgram(word, name),
  )) {
    walk.emit({ verb: 'evaluate', kind: 'option', labels: LABEL.none, object: `${name} ${text}` });
  }
  for (const each of parsed.values) if (each.use === 'program') runOption(call, each.name, each.value);
  for (const file of valuesFor(parsed, 'input')) recipe(call, file);
  if (name === 'cmake' && call.args[0]?.text === '-E' && call.args[1]?.text === 'env') {
    walk.run(call.args.slice(2), EMPTY);
  }
  return unknownText();
};

/**
 * True for a variable, setting or recipe that makes a build tool run a program from outside the
 * project.
 */
function addsProgram({ text }: Text, name: string): boolean {
  const [, variable = '', value = ''] = /^(?:--eval=|-D)?([A-Za-z_][\w.]*)\s*[:+?]?=(.*)$/s.exec(text) ?? [];
  if (TOOL_VARIABLES.test(variable)) return !USUAL_TOOLS.test(value);
  if (
    /^(?:exec\.executable|CMAKE_\w+_(?:COMPILER_LAUNCHER|COMPILER)|CMAKE_PROJECT_\w*INCLUDE\w*)$/i.test(
      variable,
    )
  )
    return value.includes('/');
  return /\$\(shell|\t|\n|`/.test(text) && /make|ninja|just|task|rake/.test(name);
}

/** A recipe from outside the project, or that this command wrote. */
function recipe(call: Call, file: Text): void {
  const content = file.text === '-' || file.text === '/dev/stdin' ? call.stdin : call.walk.read(file, 'run');
  const place = call.walk.placeOf(file);
  if (place.zone === 'stream' || file.text === '-') {
    call.walk.emit({
      verb: 'evaluate',
      kind: 'option',
      labels: content.labels,
      object: `${call.name} -f ${file.text}`,
    });
    for (const line of content.text.split('\n'))
      if (/^\t|^\s+\S/.test(line)) call.walk.shell(literal(line.trim().replace(/^[@-]/, '')));
  } else call.walk.emit({ verb: 'execute', place, labels: content.labels, object: place.path });
}

/** Programs that produce documents: some of their languages run programs. */
const document: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  applyValues(call, { ...parsed, values: parsed.values.filter(({ use }) => use !== 'code') }, EMPTY);
  if (hasFlag(parsed, '--shell-escape', '-shell-escape', '--enable-write18', '-U', '-enable-write18')) {
    call.walk.emit({
      verb: 'evaluate',
      kind: 'option',
      labels: 0,
      object: `${call.name} with shell escapes`,
    });
  }
  const texts = [...valuesFor(parsed, 'code'), ...parsed.operands];
  if (
    texts.some(({ text }) =>
      /write18|\bsystem\s*\(|os\.execute|%pipe%|\(system |import os|subprocess|^\|/.test(text),
    )
  ) {
    call.walk.emit({
      verb: 'evaluate',
      kind: 'option',
      labels: 0,
      object: `${call.name} ${texts.map(({ text }) => text).join(' ')}`,
    });
  }
  const screens =
    call.args.some(({ text }) =>
      /^(?:x11grab|avfoundation|kmsgrab|alsa|pulse|v4l2|gdigrab|dshow)$/.test(text),
    ) || /^(?:default|screen)$/.test(optionValue(parsed, '-i')?.text ?? '');
  if (screens) call.walk.administer('capture', `${call.name} records this machine`);
  return unknownText();
};

const deno: Grammar = (call) => {
  const [verb = EMPTY, ...rest] = call.args;
  if (verb.text === 'eval')
    call.walk.run(
      [literal('node'), literal('-e'), ...rest.filter(({ text }) => !text.startsWith('-')).slice(0, 1)],
      EMPTY,
    );
  else if (verb.text === 'run') {
    const url = rest.find(({ text }) => /^https?:/.test(text));
    if (url !== undefined) call.walk.emit({ verb: 'evaluate', labels: LABEL.downloaded, object: url.text });
  }
  return unknownText();
};

/** Grammars of clients of other machines and of builders. */
export const MACHINE_GRAMMARS: Readonly<Record<string, Grammar>> = {
  container,
  database,
  build,
  document,
  deno,
};
